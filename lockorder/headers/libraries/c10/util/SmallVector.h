// Parse-only stand-in for PyTorch: c10/util/SmallVector.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <vector>
namespace c10 {
template <class T> class SmallVectorImpl : public std::vector<T> { public: using std::vector<T>::vector; template <class C> void append(const C& c) {} template <class I> void append(I b, I e) {} T pop_back_val(); void resize_for_overwrite(size_t n); template <class I> bool erase_value(const I&); };
template <class T, unsigned N = 4> class SmallVector : public SmallVectorImpl<T> { public: SmallVector() = default; using SmallVectorImpl<T>::SmallVectorImpl; template <class C, class = decltype(static_cast<const C*>(nullptr)->begin())> explicit SmallVector(const C& c) {} };
}
