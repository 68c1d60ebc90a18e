// Parse-only stand-in for Abseil: absl/functional/any_invocable.h.
#pragma once
#include <cstddef>
#include <functional>
namespace absl { template <class S> class AnyInvocable; template <class R, class... A> class AnyInvocable<R(A...)> { public: AnyInvocable(); AnyInvocable(std::nullptr_t); template <class F> AnyInvocable(F&&) {} R operator()(A...) const; explicit operator bool() const; }; template <class R, class... A> class AnyInvocable<R(A...) const> : public AnyInvocable<R(A...)> { public: using AnyInvocable<R(A...)>::AnyInvocable; }; template <class R, class... A> class AnyInvocable<R(A...) &&> : public AnyInvocable<R(A...)> { public: using AnyInvocable<R(A...)>::AnyInvocable; }; }
