// Parse-only stand-in for PyTorch: torch/csrc/autograd/function.h.
#pragma once
#include <ATen/ATen.h>
#include <ATen/SequenceNumber.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/variable.h>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>
namespace torch { namespace autograd {
struct Node : std::enable_shared_from_this<Node> { public: explicit Node(uint64_t sequence_nr, edge_list&& next_edges = edge_list()); explicit Node(edge_list&& next_edges = edge_list()); virtual ~Node() = default; variable_list operator()(variable_list&& inputs); uint32_t num_inputs() const noexcept; uint32_t num_outputs() const noexcept; const Edge& next_edge(size_t index) const noexcept; const edge_list& next_edges() const noexcept; void set_next_edges(edge_list&& next_edges); void add_next_edge(Edge edge); uint64_t sequence_nr() const noexcept; uint64_t topological_nr() const noexcept; virtual std::string name() const; virtual void release_variables(); virtual bool is_traceable(); bool should_compute_output(size_t index) const; std::shared_ptr<Node> getptr(); protected: virtual variable_list apply(variable_list&& inputs) = 0; std::mutex mutex_; edge_list next_edges_; };
template <class... V> bool any_variable_requires_grad(const V&... v); template <class... V> edge_list collect_next_edges(V&&... v);
} }
