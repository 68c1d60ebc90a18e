#!/usr/bin/env bash
# A mismatch of two ranks in a script of twelve lines: both lines stand in the first five of the report,
# of `run` and of `analyze`. lines.sh FOLDER; needs two GPUs and PyTorch.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1
python=${PYTHON:-python3}
gpus=$("$python" -c 'import torch; print(torch.cuda.device_count())')
if ((gpus < 2)); then
  echo "lines.sh: needs two GPUs, there is $gpus" >&2
  exit 0
fi
rm -rf "$out" && mkdir -p "$out"
timeout 120 "$python" -m lockorder run -o "$out/traces" --hang-timeout 15 --on-hang kill -- \
  "$python" -m torch.distributed.run --standalone --nproc-per-node 2 "$here/lines.py" \
  >"$out/out" 2>"$out/err" </dev/null
echo "run: exit $?"
"$python" -m lockorder analyze "$out/traces" >"$out/analyze" 2>"$out/analyze.err"
echo "analyze: exit $?"
failed=0
head -5 "$out/analyze"
for line in 10 11; do
  head -5 "$out/analyze" | grep -q "lines.py:$line" || failed=1
done
grep -n "lines.py:1[01]" "$out/err" | head -4
exit $failed
