// Parse-only stand-in for PyTorch: torch/csrc/autograd/edge.h.
#pragma once
#include <cstdint>
#include <memory>
namespace torch { namespace autograd { struct Node; struct Edge { Edge() noexcept; Edge(std::shared_ptr<Node> function_, uint32_t input_nr_) noexcept; bool is_valid() const noexcept; std::shared_ptr<Node> function; uint32_t input_nr; }; } }
