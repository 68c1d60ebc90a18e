// Parse-only stand-in for Gloo: gloo/common/common.h.
#pragma once
#include <memory>
namespace gloo {
template <class T, class... A> std::unique_ptr<T> make_unique(A&&... args);
}
