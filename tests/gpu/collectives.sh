#!/usr/bin/env bash
# Ranks that do not fit under real NCCL, stopped and diagnosed; a clean loop, silent; what communicators cost.
# collectives.sh FOLDER; needs two GPUs and PyTorch.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$1
python=${PYTHON:-python3}
gpus=$("$python" -c 'import torch; print(torch.cuda.device_count())')
if ((gpus < 2)); then
  echo "collectives.sh: needs two GPUs, there is $gpus" >&2
  exit 0
fi
launch=("$python" -m torch.distributed.run --standalone --nproc-per-node 2)
failed=0
for kind in mismatch crossed late clean; do
  rm -rf "$out/$kind" && mkdir -p "$out/$kind"
  timeout 90 "$python" -m lockorder run -q -o "$out/$kind" --hang-timeout 10 --on-hang kill -- \
    "${launch[@]}" "$here/collectives.py" $kind >"$out/$kind.out" 2>"$out/$kind.err" </dev/null
  code=$?
  "$python" -m lockorder analyze -q --select collective-mismatch,communicator-order-cycle "$out/$kind" >"$out/$kind.txt"
  found=$(grep -oE '\[(collective-mismatch|communicator-order-cycle)\]' "$out/$kind.txt" | sort | uniq -c | tr '\n' ' ')
  echo "$kind: exit $code, ${found:-nothing found}"
  grep -E '(error|warning|note): ' "$out/$kind.txt" | cut -c1-300
  case $kind in
  mismatch) [[ $code == 124 && $found == *collective-mismatch* ]] || failed=1 ;;
  crossed) [[ $code == 124 && $found == *communicator-order-cycle* ]] || failed=1 ;;
  late) [[ $code == 124 && $found == *collective-mismatch* ]] || failed=1 ;;
  clean) [[ $code == 0 && -z $found ]] || failed=1 ;;
  esac
done
exit $failed
