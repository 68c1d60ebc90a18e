// Parse-only stand-in for cub/cub.cuh (minimal).
#pragma once
#include <stddef.h>
#include "version.cuh"
#define CUB_NS_POSTFIX
#define CUB_NS_PREFIX
namespace cub {
template <class T, int N> struct lostub_block { struct TempStorage {}; template <class... A> lostub_block(A&&...) {} template <class... A> T Sum(A&&...) { return T(); } template <class... A> T Reduce(A&&...) { return T(); } template <class... A> void InclusiveSum(A&&...) {} template <class... A> void ExclusiveSum(A&&...) {} }; template <class T, int N, int A = 0> using BlockReduce = lostub_block<T, N>; template <class T, int N, int A = 0> using BlockScan = lostub_block<T, N>; template <class T, int N = 32> using WarpReduce = lostub_block<T, N>; struct Sum {}; struct Max {}; struct Min {};
#define LOSTUB_DEV(n) template <class... A> static int n(A&&...) { return 0; }
struct DeviceReduce { LOSTUB_DEV(Sum) LOSTUB_DEV(Reduce) LOSTUB_DEV(Max) LOSTUB_DEV(Min) LOSTUB_DEV(ArgMax) }; struct DeviceScan { LOSTUB_DEV(InclusiveSum) LOSTUB_DEV(ExclusiveSum) LOSTUB_DEV(InclusiveScan) LOSTUB_DEV(ExclusiveScan) }; struct DeviceSelect { LOSTUB_DEV(Flagged) LOSTUB_DEV(Unique) }; struct DeviceRadixSort { LOSTUB_DEV(SortPairs) LOSTUB_DEV(SortKeys) LOSTUB_DEV(SortPairsDescending) }; struct DeviceSegmentedReduce { LOSTUB_DEV(Sum) LOSTUB_DEV(Reduce) }; struct DeviceRunLengthEncode { LOSTUB_DEV(Encode) };
#undef LOSTUB_DEV
}
