// Parse-only stand-in for nlohmann/json.hpp (minimal).
#pragma once
#include <stddef.h>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>
namespace nlohmann {
class json {
 public:
  class exception : public std::exception { public: const char* what() const noexcept override; int id; }; class parse_error : public exception {}; class type_error : public exception {}; class out_of_range : public exception {}; enum class value_t : uint8_t { null, object, array, string, boolean, number_integer, number_unsigned, number_float, binary, discarded };
  class iterator { public: json& operator*() const; json* operator->() const; iterator& operator++(); iterator operator++(int); bool operator==(const iterator&) const; bool operator!=(const iterator&) const; const std::string& key() const; json& value() const; }; typedef iterator const_iterator; typedef std::string string_t; typedef size_t size_type; typedef int64_t number_integer_t; typedef uint64_t number_unsigned_t;
  json(); json(std::nullptr_t); json(const json&); json(json&&) noexcept; template <class T> json(const T&) {} json(std::initializer_list<json>); json& operator=(const json&); json& operator=(json&&) noexcept; template <class T> json& operator=(const T&) { return *this; }
  static json object(); static json object(std::initializer_list<json>); static json array(); static json array(std::initializer_list<json>); template <class I, class... A> static json parse(I&&, A&&...); template <class I> static bool accept(I&&); std::string dump(int indent = -1, char c = ' ', bool a = false, int e = 0) const;
  template <class K> json& operator[](K&& k); template <class K> const json& operator[](K&& k) const; template <class K> json& at(K&& k); template <class K> const json& at(K&& k) const; template <class T> T get() const; template <class T> void get_to(T&) const; template <class T> operator T() const; template <class K, class T> T value(const K&, const T&) const; template <class K> std::string value(const K&, const char*) const; template <class T> T& get_ref(); template <class T> T get_ptr();
  bool is_null() const; bool is_object() const; bool is_array() const; bool is_string() const; bool is_number() const; bool is_number_integer() const; bool is_number_unsigned() const; bool is_number_float() const; bool is_boolean() const; bool is_discarded() const; value_t type() const; const char* type_name() const; size_t size() const; bool empty() const; void clear(); template <class K> bool contains(K&&) const; template <class K> size_t count(K&&) const; template <class K> iterator find(K&&); template <class K> iterator find(K&&) const; template <class K> size_t erase(K&&); void push_back(json); template <class... A> json& emplace_back(A&&...); template <class... A> std::pair<iterator, bool> emplace(A&&...); void update(const json&); void merge_patch(const json&); json& front(); json& back(); iterator begin(); iterator end(); iterator begin() const; iterator end() const; iterator cbegin() const; iterator cend() const; std::map<std::string, json>& items(); const std::map<std::string, json>& items() const;
  friend bool operator==(const json&, const json&); friend bool operator!=(const json&, const json&); friend std::ostream& operator<<(std::ostream&, const json&); friend std::istream& operator>>(std::istream&, json&);
};
typedef json ordered_json; template <class... T> using basic_json = json; inline namespace literals { json operator"" _json(const char*, size_t); }
}
#define NLOHMANN_DEFINE_TYPE_INTRUSIVE(T, ...) friend void to_json(nlohmann::json&, const T&); friend void from_json(const nlohmann::json&, T&);
#define NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(T, ...) void to_json(nlohmann::json&, const T&); void from_json(const nlohmann::json&, T&);
#define NLOHMANN_JSON_SERIALIZE_ENUM(T, ...) void to_json(nlohmann::json&, const T&); void from_json(const nlohmann::json&, T&);
