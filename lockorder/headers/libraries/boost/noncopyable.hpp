// Parse-only stand-in for Boost: boost/noncopyable.hpp.
#pragma once
namespace boost { class noncopyable { protected: noncopyable() {} ~noncopyable() {} noncopyable(const noncopyable&) = delete; noncopyable& operator=(const noncopyable&) = delete; }; }
