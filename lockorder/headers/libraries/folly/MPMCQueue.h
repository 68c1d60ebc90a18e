// Parse-only stand-in for Folly: folly/MPMCQueue.h.
#pragma once
#include <chrono>
#include <cstddef>
namespace folly { template <class T> class MPMCQueue { public: explicit MPMCQueue(size_t n); template <class... A> void blockingWrite(A&&...); template <class... A> bool write(A&&...); template <class... A> bool writeIfNotFull(A&&...); void blockingRead(T&); bool read(T&); bool readIfNotEmpty(T&); long size() const; bool isEmpty() const; bool isFull() const; }; }
