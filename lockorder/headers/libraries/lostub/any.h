// Ours: an argument of any type, for functions whose parameters are of no account.
#pragma once
#include <initializer_list>
struct lostub_any {
  lostub_any() = default;
  lostub_any(std::initializer_list<lostub_any>);
  template <class T> lostub_any(T&&) {}
};
