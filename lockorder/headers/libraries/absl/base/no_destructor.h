// Parse-only stand-in for Abseil: absl/base/no_destructor.h.
#pragma once
namespace absl { template <class T> class NoDestructor { public: template <class... A> explicit NoDestructor(A&&...); T& operator*(); T* operator->(); T* get(); }; }
