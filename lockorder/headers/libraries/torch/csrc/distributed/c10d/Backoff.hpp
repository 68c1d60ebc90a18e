// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/Backoff.hpp.
#pragma once
#include <c10/macros/Macros.h>
#include <chrono>
#include <random>
#include <thread>
namespace c10d { class Backoff { public: virtual ~Backoff() = default; virtual std::chrono::milliseconds nextBackoff() = 0; virtual void reset() = 0; void sleepBackoff() { std::this_thread::sleep_for(nextBackoff()); } }; class ExponentialBackoffWithJitter : public Backoff { public: ExponentialBackoffWithJitter(); std::chrono::milliseconds nextBackoff() override; void reset() override; std::chrono::milliseconds initialInterval{500}, maxInterval{60000}; double randomizationFactor{0.5}, multiplier{1.5}; }; class FixedBackoff : public Backoff { public: FixedBackoff(std::chrono::milliseconds interval); std::chrono::milliseconds nextBackoff() override; void reset() override; }; }
