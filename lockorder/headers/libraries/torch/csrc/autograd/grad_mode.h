// Parse-only stand-in for PyTorch: torch/csrc/autograd/grad_mode.h.
#pragma once
#include <c10/core/GradMode.h>
namespace torch { namespace autograd { using GradMode = c10::GradMode; using AutoGradMode = c10::AutoGradMode; } }
