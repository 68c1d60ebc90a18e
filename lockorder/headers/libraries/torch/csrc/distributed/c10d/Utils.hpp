// Parse-only stand-in for PyTorch: torch/csrc/distributed/c10d/Utils.hpp.
#pragma once
#include <torch/csrc/distributed/c10d/Types.hpp>
#include <ATen/ATen.h>
#include <c10/util/Exception.h>
#include <c10/util/accumulate.h>
#include <c10/util/irange.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <limits>
#include <system_error>
#include <tuple>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>
#define C10D_ENV_NOT_SET -2
#define WARN_ENV_VAR_ONCE(deprecated_env, new_env) TORCH_WARN_ONCE("Environment variable " + deprecated_env + " is deprecated; use " + new_env)
namespace c10d {
size_t getTensorsNumel(const std::vector<at::Tensor>& tensors); std::vector<at::Tensor> getTensorShapes(const std::vector<at::Tensor>& tensors); std::string toString(at::IntArrayRef l); std::string toString(const c10::Layout& layout); std::vector<std::string> split(char separator, const std::string& string); std::string getCvarString(const std::vector<std::string>& env, const char* def); int getCvarInt(const std::vector<std::string>& env, int def); bool getCvarBool(const std::vector<std::string>& env, bool def); std::string parse_env(const char* env_var_name);
#define LOSTUB_ASSERT(name) template <class... A> void name(A&&... args) {}
LOSTUB_ASSERT(assertSameType) LOSTUB_ASSERT(assertSameSizes) LOSTUB_ASSERT(assertSameSizeAndType) LOSTUB_ASSERT(assertTypeMatch) LOSTUB_ASSERT(assertSizesMatch) LOSTUB_ASSERT(assertLayoutMatch) LOSTUB_ASSERT(assertNonEmpty) LOSTUB_ASSERT(assertSingleElement) LOSTUB_ASSERT(assertSingleElementInput) LOSTUB_ASSERT(assertSingleElementOutput) LOSTUB_ASSERT(assertRootRank) LOSTUB_ASSERT(assertRootTensor) LOSTUB_ASSERT(assertDense) LOSTUB_ASSERT(assertCPU) LOSTUB_ASSERT(assertSameDevice) LOSTUB_ASSERT(assertTypeAndSizesMatch)
#undef LOSTUB_ASSERT
template <class F, class T> auto fmap(T& inputs, const F& fn) -> std::vector<decltype(fn(*inputs.begin()))> { std::vector<decltype(fn(*inputs.begin()))> r; for (auto& i : inputs) r.push_back(fn(i)); return r; }
at::Tensor flattenDenseTensors(at::TensorList tensors); at::Tensor newLikeFlat(std::vector<std::vector<at::Tensor>>& tensors, size_t deviceIdx); at::Tensor newLikeFlat(std::vector<at::Tensor>& tensors); std::vector<std::vector<int64_t>> getSizes(const std::vector<at::Tensor>& tensors); std::vector<int> getDevices(const std::vector<at::Tensor>& tensors); template <class T> T* getDataPointer(const at::Tensor& tensor); template <class T> std::vector<T*> getDataPointers(const std::vector<at::Tensor>& tensors); void checkSplitSizes(const std::vector<int64_t>& split_sizes, const at::Tensor& tensor, int group_size); template <class T> size_t computeLengthsAndOffsets(const std::vector<int64_t>& split_sizes, const at::Tensor& tensor, std::vector<T>* lengths, std::vector<T>* offsets);
using RankType = uint32_t; using SizeType = uint64_t;
#define SYSCHECK(expr, success_cond) while (true) { auto __output = (expr); (void)__output; if (!(success_cond)) { if (errno == EINTR) { continue; } else { throw std::system_error(errno, std::system_category()); } } else { break; } }
#define SYSCHECK_ERR_RETURN_NEG1(expr) SYSCHECK(expr, __output != -1)
namespace tcputil {
template <class T> void sendBytes(int socket, const T* buffer, size_t length, bool moreData = false) { SYSCHECK_ERR_RETURN_NEG1(::send(socket, buffer, length, 0)) } template <class T> void recvBytes(int socket, T* buffer, size_t length) { SYSCHECK_ERR_RETURN_NEG1(::recv(socket, buffer, length, 0)) } template <class T> void sendVector(int socket, const std::vector<T>& vec, bool moreData = false); template <class T> std::vector<T> recvVector(int socket); template <class T> void sendValue(int socket, const T& value, bool moreData = false); template <class T> T recvValue(int socket); void sendString(int socket, const std::string& str, bool moreData = false); std::string recvString(int socket);
}
}
