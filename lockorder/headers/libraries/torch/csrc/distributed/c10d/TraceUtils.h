// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/TraceUtils.h.
#pragma once
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/Types.hpp>
#include <torch/csrc/distributed/c10d/debug.h>
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/ivalue.h>
#include <c10/util/ApproximateClock.h>
#include <c10/util/irange.h>
#include <map>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>
namespace c10d {
using TraceMap = std::map<uint64_t, std::map<int, std::pair<std::string, std::string>>>;
std::string getTraceStartKey(const std::string& pgName, int rank); std::string getTraceEndKey(const std::string& pgName, int rank); bool traceUpdate(c10::intrusive_ptr<Store>& store, const std::string& key, uint64_t seq, const std::string& col); std::string ranksToString(const std::vector<int>& ranks); std::string analyzeMissingRanks(const std::vector<int>& missingRanks); std::string analyzeLaggingRanks(const TraceMap& traceMap); std::string dumpSnapshot(TraceMap& traceMap); std::string retrieveDesyncReport(c10::intrusive_ptr<Store>& store, const std::string& pgName, int myRank, int worldSize); std::string pickle_str(const c10::IValue& v); std::string get_python_cpp_trace(); c10::Dict<c10::IValue, c10::IValue> new_dict(); c10::List<c10::IValue> new_list(); std::string ranks_str(const std::vector<uint64_t>& ranks);
}
