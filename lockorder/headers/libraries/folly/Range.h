// Parse-only stand-in for Folly: folly/Range.h.
#pragma once
#include <string>
namespace folly { template <class I> class Range { public: Range(); Range(I, I); Range(I, size_t); template <class S> Range(const S&) {} I begin() const; I end() const; I data() const; size_t size() const; bool empty() const; std::string str() const; std::string toString() const; }; typedef Range<const char*> StringPiece; typedef Range<const unsigned char*> ByteRange; }
