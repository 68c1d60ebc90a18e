// Parse-only stand-in for TensorPipe: tensorpipe/common/strings.h.
#pragma once
#include <string>
#include <vector>
namespace tensorpipe { std::string joinStrs(const std::vector<std::string>& parts); template <class C> std::string joinStrs(const C& c); std::string formatMatrix(const std::vector<std::vector<std::string>>& m); }
