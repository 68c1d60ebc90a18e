// Parse-only stand-in for Boost: boost/function.hpp.
#pragma once
#include <functional>
namespace boost { template <class S> class function : public std::function<S> { public: using std::function<S>::function; function() {} bool empty() const; void clear(); }; template <class R> using function0 = function<R()>; template <class R, class A> using function1 = function<R(A)>; }
