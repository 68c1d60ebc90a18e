// Parse-only stand-in for pybind11/eval.h.
#pragma once
#include "pybind11.h"
namespace pybind11 {
enum eval_mode { eval_expr, eval_single_statement, eval_statements };
template <eval_mode mode = eval_expr> object eval(const str& expr, object global = globals(), object local = object());
void exec(const str& expr, object global = globals(), object local = object());
template <eval_mode mode = eval_statements> object eval_file(str fname, object global = globals(), object local = object());
}
