// Parse-only stand-in for PyTorch: torch/csrc/autograd/variable.h.
#pragma once
#include <ATen/ATen.h>
#include <torch/csrc/Export.h>
#include <memory>
#include <mutex>
#include <vector>
namespace torch { namespace autograd {
struct Node; struct Edge; struct AutogradMeta; using Variable = at::Tensor; using at::ArrayRef; using ConstQuantizedVariableRef = const Variable&; using variable_list = std::vector<Variable>; using edge_list = std::vector<Edge>;
Variable make_variable(at::Tensor data, bool requires_grad = false, bool allow_tensor_metadata_change = true);
namespace impl { AutogradMeta* get_autograd_meta(const at::TensorBase&); std::shared_ptr<Node> grad_accumulator(const Variable&); Edge gradient_edge(const Variable&); void set_version_counter(const Variable&, const c10::VariableVersion&); const c10::VariableVersion& version_counter(const Variable&); void bump_version(const Variable&); }
} }
