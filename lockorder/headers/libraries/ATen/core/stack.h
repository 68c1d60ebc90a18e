// Parse-only stand-in for PyTorch: ATen/core/stack.h.
#pragma once
#include <ATen/core/ivalue.h>
#include <vector>
namespace torch { namespace jit { using c10::IValue; using Stack = std::vector<IValue>; class Operation { public: template <class F> Operation(F&& f) {} Operation(); void operator()(Stack& stack); }; IValue& peek(Stack& stack, size_t i, size_t N); IValue pop(Stack& stack); std::vector<IValue> pop(Stack& stack, size_t n); void drop(Stack& stack, size_t n); template <class... T> void push(Stack& stack, T&&... args) {} template <class... T> void pop(Stack& stack, T&... args) {} } }
