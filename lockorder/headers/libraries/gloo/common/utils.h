// Parse-only stand-in for Gloo: gloo/common/utils.h.
#pragma once
#include <string>
namespace gloo { std::string getHostname(); void setThreadName(const std::string& name); bool useRankAsSeqNumber(); bool isStoreExtendedApiEnabled(); bool disableConnectionRetries(); }
