// Parse-only stand-in for Abseil: absl/log/initialize.h.
#pragma once
namespace absl { void InitializeLog(); }
