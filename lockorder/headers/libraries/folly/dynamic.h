// Parse-only stand-in for Folly: folly/dynamic.h.
#pragma once
#include <string>
namespace folly { class dynamic { public: dynamic(); template <class T> dynamic(T&&) {} template <class... A> static dynamic object(A&&...); template <class... A> static dynamic array(A&&...); template <class K> dynamic& operator[](K&&); std::string asString() const; long long asInt() const; double asDouble() const; bool asBool() const; size_t size() const; bool isNull() const; dynamic* begin(); dynamic* end(); template <class K> size_t count(K&&) const; template <class T> void push_back(T&&) {} template <class T> dynamic& operator=(T&&) { return *this; } }; std::string toJson(const dynamic&); std::string toPrettyJson(const dynamic&); dynamic parseJson(const std::string&); }
