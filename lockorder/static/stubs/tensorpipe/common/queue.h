// Parse-only stand-in for TensorPipe: tensorpipe/common/queue.h.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
namespace tensorpipe { template <class T> class Queue { public: explicit Queue(int capacity = 1); void push(T t); T pop(); private: std::mutex mutex_; std::condition_variable cv_; const int capacity_; std::deque<T> items_; }; }
