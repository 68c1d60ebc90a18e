#!/usr/bin/env bash
# One program whose ranks issue collectives in different orders, told four ways: from its source, a run, a dump, a hang.
# four_ways.sh FOLDER; needs two GPUs and PyTorch. See docs/case-studies/crossed-collectives.md.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1
python=${PYTHON:-python3}
gpus=$("$python" -c 'import torch; print(torch.cuda.device_count())')
if ((gpus < 2)); then
  echo "four_ways.sh: needs two GPUs, there is $gpus" >&2
  exit 0
fi
mkdir -p "$out/run" "$out/fr"
lockorder=("$python" -m lockorder)
launch=("$python" -m torch.distributed.run --standalone --nproc-per-node 2 "$here/order.py")
failed=0
told() { # NAME RULE: what was told of it
  grep -E '(error|warning): |disagree' "$out/$1.txt" | cut -c1-300
  grep -qE "$2" "$out/$1.txt" || { echo "four_ways.sh: $1: nothing of $2" >&2 && failed=1; }
}
"${lockorder[@]}" check -q --no-cache "$here/order.py" >"$out/source.txt"
told source '\[collective-divergence\]'
timeout 120 "${lockorder[@]}" run -q -o "$out/run" --hang-timeout 12 --on-hang kill -- "${launch[@]}" >"$out/run.out" 2>&1 </dev/null
"${lockorder[@]}" analyze -q "$out/run" >"$out/run.txt"
told run '\[communicator-order-cycle\]'
TORCH_FR_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1 TORCH_NCCL_DEBUG_INFO_TEMP_FILE=$out/fr/rank_ \
  timeout 150 "${launch[@]}" >"$out/dump.out" 2>&1 </dev/null
"${lockorder[@]}" analyze -q "$out/fr" >"$out/dump.txt"
told dump '\[communicator-order-cycle\]'
timeout 70 "${launch[@]}" >"$out/hang.out" 2>&1 </dev/null &
job=$!
for _ in $(seq 12); do # until both ranks stand still in what they disagree on
  "${lockorder[@]}" hang -q --wait 2 >"$out/hang.txt" 2>"$out/hang.err"
  grep -q disagree "$out/hang.txt" && break
done
told hang 'disagree on what they launched'
kill "$job" 2>/dev/null
wait "$job" 2>/dev/null
exit $failed
