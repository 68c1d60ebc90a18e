// Parse-only stand-in for PyTorch: caffe2/utils/threadpool/thread_name.h.
#pragma once
#include <string>
namespace caffe2 { void setThreadName(std::string name); }
