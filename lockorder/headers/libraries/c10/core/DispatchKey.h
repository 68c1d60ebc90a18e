// Parse-only stand-in for PyTorch: c10/core/DispatchKey.h.
#pragma once
#include <c10/core/DeviceType.h>
#include <cstdint>
#include <ostream>
#include <string>
namespace c10 { enum class DispatchKey : uint16_t { Undefined = 0, CatchAll = Undefined, Dense, FPGA, Vulkan, Metal, Quantized, CustomRNGKeyId, MkldnnCPU, Sparse, SparseCsr, NestedTensor, BackendSelect, Python, Fake, FuncTorchDynamicLayerBackMode, Functionalize, Named, Conjugate, Negative, ZeroTensor, ADInplaceOrView, AutogradOther, AutogradFunctionality, AutogradNestedTensor, Tracer, AutocastCPU, AutocastCUDA, PreDispatch, PythonDispatcher, CPU, CUDA, HIP, XLA, MPS, IPU, XPU, HPU, Lazy, MTIA, PrivateUse1, Meta, SparseCPU, SparseCUDA, AutogradCPU, AutogradCUDA, AutogradXPU, AutogradPrivateUse1, Autograd, CompositeImplicitAutograd, CompositeExplicitAutograd, EndOfRuntimeBackendKeys, NumDispatchKeys }; const char* toString(DispatchKey t); std::ostream& operator<<(std::ostream& os, DispatchKey k); DispatchKey parseDispatchKey(const std::string& k); }
namespace torch { using c10::DispatchKey; }
