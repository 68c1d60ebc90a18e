// Parse-only stand-in for PyTorch: c10/core/DeviceType.h.
#pragma once
#include <c10/macros/Macros.h>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
namespace c10 {
enum class DeviceType : int8_t { CPU = 0, CUDA = 1, MKLDNN = 2, OPENGL = 3, OPENCL = 4, IDEEP = 5, HIP = 6, FPGA = 7, MAIA = 8, XLA = 9, Vulkan = 10, Metal = 11, XPU = 12, MPS = 13, Meta = 14, HPU = 15, VE = 16, Lazy = 17, IPU = 18, MTIA = 19, PrivateUse1 = 20, COMPILE_TIME_MAX_DEVICE_TYPES = 21 };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kHIP = DeviceType::HIP, kXLA = DeviceType::XLA, kMPS = DeviceType::MPS, kMeta = DeviceType::Meta, kXPU = DeviceType::XPU, kHPU = DeviceType::HPU, kMTIA = DeviceType::MTIA, kPrivateUse1 = DeviceType::PrivateUse1, kVulkan = DeviceType::Vulkan, kLazy = DeviceType::Lazy;
constexpr int COMPILE_TIME_MAX_DEVICE_TYPES = 21;
std::string DeviceTypeName(DeviceType d, bool lower_case = false); bool isValidDeviceType(DeviceType d); std::ostream& operator<<(std::ostream& stream, DeviceType type); void register_privateuse1_backend(const std::string& backend_name); std::string get_privateuse1_backend(bool lower_case = true);
}
namespace torch { using c10::DeviceType; }
