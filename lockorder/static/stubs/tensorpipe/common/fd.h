// Parse-only stand-in for TensorPipe: tensorpipe/common/fd.h.
#pragma once
#include <unistd.h>
#include <tensorpipe/common/defs.h>
#include <tensorpipe/common/error.h>
namespace tensorpipe { class Fd { public: Fd(); explicit Fd(int fd); virtual ~Fd(); Fd(const Fd&) = delete; Fd(Fd&& other) noexcept; Fd& operator=(Fd&& other) noexcept; int fd() const; bool hasValue() const; void reset(); ssize_t read(void* buf, size_t count); ssize_t write(const void* buf, size_t count); Error readFull(void* buf, size_t count); Error writeFull(const void* buf, size_t count); template <class T> T readOrThrow(); template <class T> void writeOrThrow(const T& t); template <class T> Error read(T* t); template <class T> Error write(const T& t); protected: int fd_; }; }
