// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/GroupRegistry.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
namespace c10d { void set_thread_isolation_mode(bool enable); bool get_thread_isolation_mode(); void register_process_group(const std::string& group_name, const c10::intrusive_ptr<c10d::ProcessGroup>& group); c10::intrusive_ptr<c10d::ProcessGroup> resolve_process_group(const std::string& group_name); void unregister_process_group(const std::string& group_name); void unregister_all_process_groups(); }
