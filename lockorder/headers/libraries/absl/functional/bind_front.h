// Parse-only stand-in for Abseil: absl/functional/bind_front.h.
#pragma once
#include <functional>
namespace absl { template <class F, class... A> std::function<void()> bind_front(F&&, A&&...) { return nullptr; } }
