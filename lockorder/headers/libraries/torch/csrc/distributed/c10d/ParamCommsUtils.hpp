// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/ParamCommsUtils.hpp.
#pragma once
#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <string>
#include <vector>
#define RECORD_PARAM_COMMS(...) ::torch::lostub_record(__VA_ARGS__)
#define RECORD_PARAM_COMMS_DATA(...) ::torch::lostub_record(__VA_ARGS__)
namespace torch { template <class... A> void lostub_record(A&&... args) {} class ParamCommsDebugInfo : public c10::DebugInfoBase { public: ParamCommsDebugInfo() = default; const std::string getProcessGroupName() const; const std::string getCollectiveName() const; }; }
