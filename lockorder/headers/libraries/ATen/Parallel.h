// Parse-only stand-in for PyTorch: ATen/Parallel.h.
#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/intrusive_ptr.h>
#include <cstdint>
#include <functional>
#include <string>
namespace c10 { namespace ivalue { struct Future; } }
namespace at {
int64_t divup(int64_t x, int64_t y); void init_num_threads(); void set_num_threads(int); int get_num_threads(); int get_thread_num(); bool in_parallel_region(); void lazy_init_num_threads();
namespace internal { constexpr int64_t GRAIN_SIZE = 32768; class ThreadIdGuard { public: ThreadIdGuard(int new_id); ~ThreadIdGuard(); }; void set_thread_num(int); void launch_no_thread_state(std::function<void()> fn); }
template <class F> void parallel_for(const int64_t begin, const int64_t end, const int64_t grain_size, const F& f) { f(begin, end); }
template <class T, class F, class SF> T parallel_reduce(const int64_t begin, const int64_t end, const int64_t grain_size, const T ident, const F& f, const SF& sf) { return sf(ident, f(begin, end, ident)); }
std::string get_parallel_info(); void set_num_interop_threads(int); size_t get_num_interop_threads(); void launch(std::function<void()> func); void intraop_launch(const std::function<void()>& func); int intraop_default_num_threads(); c10::intrusive_ptr<c10::ivalue::Future> intraop_launch_future(const std::function<void()>& func);
}
