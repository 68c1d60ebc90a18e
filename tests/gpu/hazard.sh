#!/usr/bin/env bash
# Seed 1 in small with the real CUDA and NCCL, a rank on each GPU: the version with the hazard and the fixed
# one, under `lockorder run`. hazard.sh FOLDER. Headers and libraries: those that PyTorch brought, or CUDA_HOME's.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sources=$here/../../fixtures/fake_cuda/programs/free_mutex
out=$1
python=${PYTHON:-python3}
mkdir -p "$out"
gpus=$("$python" -c 'import torch; print(torch.cuda.device_count())')
site=$("$python" -c 'import pathlib, torch; print(pathlib.Path(torch.__file__).parent.parent / "nvidia")')
cuda=${CUDA_HOME:-/usr/local/cuda}
find_one() { find -L "$site" "$cuda" /usr/include /usr/lib -name "$1" 2>/dev/null | head -n 1; }
nccl=$(find_one libnccl.so.2) header=$(find_one nccl.h) runtime=$(find_one 'libcudart.so.1?') api=$(find_one cuda_runtime_api.h)
for file in "$nccl" "$header" "$runtime" "$api"; do
  [ -n "$file" ] || { echo "hazard: CUDA's or NCCL's headers or libraries not found: set CUDA_HOME" >&2; exit 2; }
done
echo "with $nccl and $runtime"
crt=$(find -L "$site" "$cuda" -path '*crt/host_defines.h' 2>/dev/null | head -n 1) # not in every package
flags=(-std=c++17 -O1 -g -pthread -fno-optimize-sibling-calls "-I$(dirname "$api")" "-I$(dirname "$header")")
[ -z "$crt" ] || flags+=("-I$(dirname "$(dirname "$crt")")")
c++ "${flags[@]}" -o "$out/launcher" "$sources/launcher.cpp" -ldl || exit 2
for version in before after; do
  fixed=(); [ $version = before ] || fixed=(-DFREE_MUTEX_FIXED)
  c++ "${flags[@]}" "${fixed[@]}" -shared -fPIC -o "$out/$version.so" "$sources"/{allocator,process_group,trainer}.cpp \
    "$nccl" "$runtime" "-Wl,-rpath,$(dirname "$nccl"):$(dirname "$runtime")" || exit 2
  "$out/launcher" "$out/$version.so" "$gpus"
  echo "$version plain: exit $?"
  "$python" -m lockorder run -o "$out/$version.traces" -- "$out/launcher" "$out/$version.so" "$gpus" \
    >"$out/$version.txt" 2>"$out/$version.err"
  echo "$version recorded: exit $?"
  grep -E '^[^ ].*(error|warning|note): ' "$out/$version.txt" "$out/$version.err"
done
