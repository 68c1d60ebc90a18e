// Parse-only stand-in for Abseil: absl/flags/parse.h.
#pragma once
#include <vector>
namespace absl { std::vector<char*> ParseCommandLine(int argc, char* argv[]); }
