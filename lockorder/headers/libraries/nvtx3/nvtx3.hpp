// Parse-only stand-in for nvtx3/nvtx3.hpp (minimal).
#pragma once
#include "../nvToolsExt.h"
#include <string>
#define NVTX3_FUNC_RANGE() ::nvtx3::scoped_range lostub_nvtx_range{__func__}
#define NVTX3_FUNC_RANGE_IN(D) ::nvtx3::scoped_range_in<D> lostub_nvtx_range{__func__}
#define NVTX3_V1_FUNC_RANGE_IN(D) NVTX3_FUNC_RANGE_IN(D)
namespace nvtx3 {
struct rgb { rgb(uint8_t, uint8_t, uint8_t); }; struct color { explicit color(uint32_t); color(rgb); }; struct category { explicit category(uint32_t); }; class message { public: message(const char*); message(const std::string&); }; struct payload { template <class T> payload(T) {} };
struct domain { struct global {}; template <class D = global> static domain const& get(); operator nvtxDomainHandle_t() const; };
template <class D = domain::global> class registered_string_in { public: registered_string_in(const char*); nvtxStringHandle_t get_handle() const; template <class M> static registered_string_in const& get(); };
class event_attributes { public: template <class... A> event_attributes(const A&...) {} const nvtxEventAttributes_t* get() const; };
template <class D = domain::global> class scoped_range_in { public: template <class... A> scoped_range_in(const A&...) {} ~scoped_range_in(); }; using scoped_range = scoped_range_in<>; template <class D = domain::global> using scoped_thread_range_in = scoped_range_in<D>;
template <class D = domain::global> class unique_range_in { public: template <class... A> unique_range_in(const A&...) {} ~unique_range_in(); }; using unique_range = unique_range_in<>; template <class... A> void mark(const A&...) {} inline namespace v1 {}
}
