// Parse-only stand-in for PyTorch: c10/core/ScalarTypeToTypeMeta.h.
#pragma once
#include <c10/core/ScalarType.h>
#include <c10/util/typeid.h>
namespace c10 { caffe2::TypeMeta scalarTypeToTypeMeta(ScalarType t); ScalarType typeMetaToScalarType(caffe2::TypeMeta t); }
