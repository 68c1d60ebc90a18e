// Parse-only stand-in for PyTorch: c10/util/intrusive_ptr.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
namespace pybind11 { template <class, class...> class class_; }
namespace c10 {
class intrusive_ptr_target;
namespace raw { namespace weak_intrusive_ptr { void incref(c10::intrusive_ptr_target* self); void decref(c10::intrusive_ptr_target* self); } namespace intrusive_ptr { void incref(c10::intrusive_ptr_target* self); void decref(c10::intrusive_ptr_target* self); } struct DontIncreaseRefcount {}; }
class intrusive_ptr_target {
 protected:
  virtual ~intrusive_ptr_target() {} constexpr intrusive_ptr_target() noexcept {} intrusive_ptr_target(intrusive_ptr_target&&) noexcept {} intrusive_ptr_target(const intrusive_ptr_target&) noexcept {} intrusive_ptr_target& operator=(intrusive_ptr_target&&) noexcept { return *this; } intrusive_ptr_target& operator=(const intrusive_ptr_target&) noexcept { return *this; }
 private:
  virtual void release_resources() {}
};
namespace detail { template <class T> struct intrusive_target_default_null_type final { static constexpr T* singleton() noexcept { return nullptr; } }; template <class T> struct intrusive_ptr_default_null_type final { static constexpr T* singleton() noexcept { return nullptr; } }; }
template <class T, class N = detail::intrusive_target_default_null_type<T>> class weak_intrusive_ptr;
template <class T, class N = detail::intrusive_target_default_null_type<T>> class intrusive_ptr final {
 public:
  using element_type = T;
  intrusive_ptr() noexcept : target_(nullptr) {} intrusive_ptr(std::nullptr_t) noexcept : target_(nullptr) {} explicit intrusive_ptr(T* target, raw::DontIncreaseRefcount) noexcept : target_(target) {} explicit intrusive_ptr(std::unique_ptr<T> rhs) noexcept : target_(rhs.release()) {} intrusive_ptr(intrusive_ptr&& rhs) noexcept : target_(rhs.target_) {} intrusive_ptr(const intrusive_ptr& rhs) : target_(rhs.target_) {} template <class F, class M, class = typename std::enable_if<std::is_convertible<F*, T*>::value>::type> intrusive_ptr(intrusive_ptr<F, M>&& rhs) noexcept : target_(rhs.get()) {} template <class F, class M, class = typename std::enable_if<std::is_convertible<F*, T*>::value>::type> intrusive_ptr(const intrusive_ptr<F, M>& rhs) : target_(rhs.get()) {} ~intrusive_ptr() noexcept {}
  intrusive_ptr& operator=(intrusive_ptr&& rhs) & noexcept { target_ = rhs.target_; return *this; } intrusive_ptr& operator=(const intrusive_ptr& rhs) & noexcept { target_ = rhs.target_; return *this; } template <class F, class M> intrusive_ptr& operator=(intrusive_ptr<F, M>&& rhs) & noexcept { target_ = rhs.get(); return *this; } template <class F, class M> intrusive_ptr& operator=(const intrusive_ptr<F, M>& rhs) & noexcept { target_ = rhs.get(); return *this; }
  T* get() const noexcept { return target_; } T& operator*() const noexcept { return *target_; } T* operator->() const noexcept { return target_; } explicit operator bool() const noexcept { return target_ != nullptr; } operator std::nullptr_t() const = delete;
  void reset() noexcept; void swap(intrusive_ptr& rhs) noexcept; bool defined() const noexcept; uint32_t use_count() const noexcept; uint32_t weak_use_count() const noexcept; bool unique() const noexcept; T* release() noexcept; static intrusive_ptr reclaim(T* owning_ptr); static intrusive_ptr reclaim_copy(T* owning_ptr); static intrusive_ptr unsafe_steal_from_new(T* raw_ptr); static intrusive_ptr unsafe_reclaim_from_nonowning(T* raw_ptr); static intrusive_ptr unsafe_adapt_non_heap_allocated(T* raw_ptr, uint32_t expected_decrefs);
  template <class... A> static intrusive_ptr make(A&&... args) { return intrusive_ptr(new T(std::forward<A>(args)...), raw::DontIncreaseRefcount{}); }
 private:
  T* target_;
};
template <class T, class N = detail::intrusive_target_default_null_type<T>, class... A> intrusive_ptr<T, N> make_intrusive(A&&... args) { return intrusive_ptr<T, N>::make(std::forward<A>(args)...); }
template <class T, class N> void swap(intrusive_ptr<T, N>& a, intrusive_ptr<T, N>& b) noexcept;
template <class A, class B, class C, class D> bool operator==(const intrusive_ptr<A, B>& a, const intrusive_ptr<C, D>& b) noexcept { return a.get() == b.get(); }
template <class A, class B, class C, class D> bool operator!=(const intrusive_ptr<A, B>& a, const intrusive_ptr<C, D>& b) noexcept { return a.get() != b.get(); }
template <class A, class B> bool operator==(const intrusive_ptr<A, B>& a, std::nullptr_t) noexcept { return a.get() == nullptr; }
template <class A, class B> bool operator!=(const intrusive_ptr<A, B>& a, std::nullptr_t) noexcept { return a.get() != nullptr; }
template <class A, class B> bool operator==(std::nullptr_t, const intrusive_ptr<A, B>& b) noexcept { return b.get() == nullptr; }
template <class A, class B> bool operator!=(std::nullptr_t, const intrusive_ptr<A, B>& b) noexcept { return b.get() != nullptr; }
template <class A, class B, class C, class D> bool operator<(const intrusive_ptr<A, B>& a, const intrusive_ptr<C, D>& b) noexcept { return a.get() < b.get(); }
template <class T, class N> class weak_intrusive_ptr final {
 public:
  using element_type = T;
  explicit weak_intrusive_ptr(const intrusive_ptr<T, N>& ptr); weak_intrusive_ptr(weak_intrusive_ptr&& rhs) noexcept; weak_intrusive_ptr(const weak_intrusive_ptr& rhs); template <class F, class M> weak_intrusive_ptr(const weak_intrusive_ptr<F, M>& rhs); ~weak_intrusive_ptr() noexcept; weak_intrusive_ptr& operator=(weak_intrusive_ptr&& rhs) & noexcept; weak_intrusive_ptr& operator=(const weak_intrusive_ptr& rhs) & noexcept; weak_intrusive_ptr& operator=(const intrusive_ptr<T, N>& rhs) & noexcept;
  void reset() noexcept; void swap(weak_intrusive_ptr& rhs) noexcept; T* _unsafe_get_target() const noexcept; uint32_t use_count() const noexcept; uint32_t weak_use_count() const noexcept; bool expired() const noexcept; intrusive_ptr<T, N> lock() const noexcept; T* release() noexcept; static weak_intrusive_ptr reclaim(T* owning_weak_ptr); static weak_intrusive_ptr reclaim_copy(T* owning_ptr);
};
template <class A, class B> bool operator==(const weak_intrusive_ptr<A, B>& a, const weak_intrusive_ptr<A, B>& b) noexcept; template <class A, class B> bool operator<(const weak_intrusive_ptr<A, B>& a, const weak_intrusive_ptr<A, B>& b) noexcept;
template <class T> struct MaybeOwnedTraits;
}
namespace std { template <class T, class N> struct hash<c10::intrusive_ptr<T, N>> { size_t operator()(const c10::intrusive_ptr<T, N>&) const; }; template <class T, class N> struct hash<c10::weak_intrusive_ptr<T, N>> { size_t operator()(const c10::weak_intrusive_ptr<T, N>&) const; }; }
