// Parse-only stand-in for Gloo: gloo/algorithm.h.
#pragma once
#include <memory>
#include <vector>
#include "gloo/context.h"
#include "gloo/math.h"
namespace gloo {
extern const size_t kOnDeviceThreshold;
class Algorithm { public: explicit Algorithm(const std::shared_ptr<Context>&); virtual ~Algorithm() noexcept(false) = 0; virtual void run() = 0; protected: std::shared_ptr<Context> context_; const int contextRank_; const int contextSize_; std::unique_ptr<transport::Pair>& getPair(int i); std::unique_ptr<transport::Pair>& getLeftPair(); std::unique_ptr<transport::Pair>& getRightPair(); };
enum ReductionType { SUM = 1, PRODUCT = 2, MAX = 3, MIN = 4, CUSTOM = 1000 };
template <class T> class ReductionFunction { public: using Function = void(T*, const T*, size_t n); static const ReductionFunction<T>*sum, *product, *min, *max; ReductionFunction(ReductionType type, Function* fn); ReductionType type() const; void call(T* x, const T* y, size_t n) const; };
template <class T> class LocalOp { public: virtual ~LocalOp() noexcept(false); virtual void runAsync() = 0; virtual void wait() = 0; void run(); };
}
