// Parse-only stand-in for PyTorch: torch/utils.h.
#pragma once
#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>
#include <torch/types.h>
namespace torch { using NoGradGuard = at::NoGradGuard; using AutoGradMode = at::AutoGradMode; using at::get_num_threads; using at::set_num_threads; using at::get_num_interop_threads; using at::set_num_interop_threads; }
