#!/usr/bin/env bash
# The probe's cost and findings on a machine with NVIDIA GPUs and PyTorch: pairs of plain and recorded runs, every
# second pair the other way round (ABBA), a table with quartiles, then what was recorded.
# overhead.sh FOLDER [PAIRS] [STEPS] [KINDS]; ranks: one a GPU.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1 pairs=${2:-5} steps=${3:-300} kinds=${4:-ddp fsdp}
python=${PYTHON:-python3}
gpus=$("$python" -c 'import torch; print(torch.cuda.device_count())')
# From elsewhere: what is installed counts, and not the sources that Python would find here first.
shim=$(cd / && "$python" -c 'from runtime_probe.launch import shim_path; print(shim_path())') || exit 2
launch=("$python" -m torch.distributed.run --standalone --nproc-per-node "$gpus")
mkdir -p "$out"
"$python" -c 'import torch; print("torch", torch.__version__, "nccl", torch.cuda.nccl.version(), "gpus", torch.cuda.device_count())'
one_plain() { "${launch[@]}" "$here/train.py" "$1" "$steps" 2>&1 >"$out/$1.plain" | awk '/median/ {print $3}'; }
one_probe() {
  rm -rf "$out/$1.traces" && mkdir -p "$out/$1.traces"
  LD_PRELOAD=$shim LOCKORDER_TRACE_DIR=$out/$1.traces \
    "${launch[@]}" "$here/train.py" "$1" "$steps" 2>&1 >"$out/$1.probe" | awk '/median/ {print $3}'
}
for kind in $kinds; do
  : >"$out/$kind.pairs"
  for ((pair = 1; pair <= pairs; pair++)); do
    if ((pair % 2)); then plain=$(one_plain $kind) && probe=$(one_probe $kind); else probe=$(one_probe $kind) && plain=$(one_plain $kind); fi
    echo "$kind pair $pair: plain ${plain:-FAILED} ms  probe ${probe:-FAILED} ms"
    echo "${plain:-nan} ${probe:-nan}" >>"$out/$kind.pairs"
  done
  "$python" "$here/quartiles.py" "$kind" "$out/$kind.pairs"
  cmp "$out/$kind.plain" "$out/$kind.probe" && echo "$kind: same losses"
  du -sk "$out/$kind.traces"
  (cd "$out" && "$python" "$here/rates.py" "$kind.traces")
  (cd "$out" && "$python" -m lockorder analyze "$kind.traces") >"$out/$kind.txt" 2>"$out/$kind.err"
  echo "analyze $kind: exit $?"
  grep -E '^[^ ].*(error|warning|note): ' "$out/$kind.txt"
  tail -n 4 "$out/$kind.err"
done
