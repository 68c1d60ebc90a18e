// Parse-only stand-in for PyTorch: ATen/Functions.h.
#pragma once
#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>
#include <lostub/any.h>
#define LOSTUB_ANYS lostub_any a = {}, lostub_any b = {}, lostub_any c = {}, lostub_any d = {}, lostub_any e = {}, lostub_any f = {}, lostub_any g = {}, lostub_any h = {}, lostub_any i = {}, lostub_any j = {}
#define LOSTUB_F(name) Tensor name(LOSTUB_ANYS);
#define LOSTUB_FO(name) Tensor& name(Tensor& out, LOSTUB_ANYS);
namespace at {
LOSTUB_F(abs) LOSTUB_F(add) LOSTUB_F(addmm) LOSTUB_F(all) LOSTUB_F(any) LOSTUB_F(arange) LOSTUB_F(as_strided) LOSTUB_F(bmm) LOSTUB_F(cat) LOSTUB_F(clamp) LOSTUB_F(clone) LOSTUB_F(concat) LOSTUB_F(cumsum) LOSTUB_F(div) LOSTUB_F(dot) LOSTUB_F(dropout) LOSTUB_F(empty) LOSTUB_F(empty_like) LOSTUB_F(empty_strided) LOSTUB_F(empty_cpu) LOSTUB_F(eq) LOSTUB_F(exp) LOSTUB_F(eye) LOSTUB_F(flatten) LOSTUB_F(from_blob) LOSTUB_F(full) LOSTUB_F(full_like) LOSTUB_F(ge) LOSTUB_F(gt) LOSTUB_F(hstack) LOSTUB_F(index_select) LOSTUB_F(isfinite) LOSTUB_F(isinf) LOSTUB_F(isnan) LOSTUB_F(le) LOSTUB_F(linspace) LOSTUB_F(log) LOSTUB_F(logical_and) LOSTUB_F(logical_not) LOSTUB_F(lt) LOSTUB_F(masked_select) LOSTUB_F(matmul) LOSTUB_F(max) LOSTUB_F(maximum) LOSTUB_F(mean) LOSTUB_F(min) LOSTUB_F(minimum) LOSTUB_F(mm) LOSTUB_F(mul) LOSTUB_F(narrow) LOSTUB_F(ne) LOSTUB_F(neg) LOSTUB_F(nonzero) LOSTUB_F(norm) LOSTUB_F(one_hot) LOSTUB_F(ones) LOSTUB_F(ones_like) LOSTUB_F(pow) LOSTUB_F(rand) LOSTUB_F(rand_like) LOSTUB_F(randint) LOSTUB_F(randn) LOSTUB_F(randn_like) LOSTUB_F(randperm) LOSTUB_F(relu) LOSTUB_F(reshape) LOSTUB_F(scalar_tensor) LOSTUB_F(select) LOSTUB_F(sigmoid) LOSTUB_F(softmax) LOSTUB_F(sparse_coo_tensor) LOSTUB_F(sqrt) LOSTUB_F(squeeze) LOSTUB_F(stack) LOSTUB_F(sub) LOSTUB_F(sum) LOSTUB_F(tanh) LOSTUB_F(tensor) LOSTUB_F(tril) LOSTUB_F(triu) LOSTUB_F(unsqueeze) LOSTUB_F(vstack) LOSTUB_F(where) LOSTUB_F(zeros) LOSTUB_F(zeros_like) LOSTUB_F(_sparse_coo_tensor_unsafe) LOSTUB_F(empty_quantized) LOSTUB_F(linear) LOSTUB_F(conv2d) LOSTUB_F(batch_norm) LOSTUB_F(embedding) LOSTUB_F(bernoulli) LOSTUB_F(multinomial)
LOSTUB_FO(cat_out) LOSTUB_FO(add_out) LOSTUB_FO(sum_out) LOSTUB_FO(mul_out) LOSTUB_FO(stack_out) LOSTUB_FO(copy_out) LOSTUB_FO(div_out) LOSTUB_FO(index_select_out)
std::vector<Tensor> split(LOSTUB_ANYS); std::vector<Tensor> chunk(LOSTUB_ANYS); std::vector<Tensor> unbind(LOSTUB_ANYS); std::tuple<Tensor, Tensor> sort(LOSTUB_ANYS); std::tuple<Tensor, Tensor> topk(LOSTUB_ANYS); std::tuple<Tensor, Tensor> _unique(LOSTUB_ANYS);
template <class T> Tensor tensor(ArrayRef<T> values, const TensorOptions& options);
int64_t size(const Tensor& self, int64_t dim); int64_t numel(const Tensor& self); bool equal(const Tensor& a, const Tensor& b); bool allclose(LOSTUB_ANYS); bool is_floating_point(const Tensor& self); void _copy_from(LOSTUB_ANYS);
}
#undef LOSTUB_F
#undef LOSTUB_FO
#undef LOSTUB_ANYS
