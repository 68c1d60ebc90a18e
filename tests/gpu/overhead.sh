#!/usr/bin/env bash
# The probe's cost and findings on a machine with NVIDIA GPUs and PyTorch: alternating pairs of plain and
# recorded runs, then what was recorded. overhead.sh FOLDER [PAIRS] [STEPS] [KINDS]; ranks: one a GPU.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1 pairs=${2:-5} steps=${3:-300} kinds=${4:-ddp fsdp}
python=${PYTHON:-python3}
gpus=$("$python" -c 'import torch; print(torch.cuda.device_count())')
shim=$("$python" -c 'from runtime_probe.launch import shim_path; print(shim_path())')
launch=("$python" -m torch.distributed.run --standalone --nproc-per-node "$gpus")
mkdir -p "$out"
"$python" -c 'import torch; print("torch", torch.__version__, "nccl", torch.cuda.nccl.version(), "gpus", torch.cuda.device_count())'
for kind in $kinds; do
  for ((pair = 1; pair <= pairs; pair++)); do
    plain=$("${launch[@]}" "$here/train.py" $kind "$steps" 2>&1 >"$out/$kind.plain" | grep median)
    rm -rf "$out/$kind.traces" && mkdir -p "$out/$kind.traces"
    probe=$(LD_PRELOAD=$shim LOCKORDER_TRACE_DIR=$out/$kind.traces \
      "${launch[@]}" "$here/train.py" $kind "$steps" 2>&1 >"$out/$kind.probe" | grep median)
    echo "$kind pair $pair: plain ${plain:-FAILED}  probe ${probe:-FAILED}"
  done
  cmp "$out/$kind.plain" "$out/$kind.probe" && echo "$kind: same losses"
  du -sk "$out/$kind.traces"
  "$python" "$here/rates.py" "$out/$kind.traces"
  "$python" -m lockorder analyze "$out/$kind.traces" >"$out/$kind.txt" 2>"$out/$kind.err"
  echo "analyze $kind: exit $?"
  grep -E '^[^ ].*(error|warning|note): ' "$out/$kind.txt"
  tail -n 4 "$out/$kind.err"
done
