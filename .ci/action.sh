#!/usr/bin/env bash
# The steps of action.yml that are commands. All that a workflow says comes through INPUT_*
# variables and stays data: it is never part of a command line that a shell reads.
#
#   action.sh install    lockorder and its own Python environment, apart from the job's
#   action.sh check      one run, its reports, and whether the job fails (outputs: action.yml)
set -euo pipefail

home="$RUNNER_TEMP/lockorder"
export PATH="$home/venv/bin:$PATH"

fail() {
  echo "::error::lockorder: $1" >&2
  exit 2
}

output() { printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }

# The lines of $1 that say something, into the array `lines`.
lines_of() {
  local line
  lines=()
  while IFS= read -r line || [[ -n "$line" ]]; do
    line="${line%$'\r'}"
    [[ "$line" =~ [^[:space:]] ]] && lines+=("$line")
  done <<<"$1"
  return 0
}

install() {
  "${PYTHON:-python3}" -m venv "$home/venv"
  python3 -m pip install --quiet --disable-pip-version-check "$GITHUB_ACTION_PATH"
  local version
  version="$(lockorder --version)"
  output version "${version##* }"
  output cache "$home/cache"
}

# The revision before the change of a pull request or a merge group; nothing for other events.
base_revision() {
  local base
  # GitHub's merge of a pull request, as it is checked out by default: its first parent.
  if [[ "${GITHUB_EVENT_NAME:-}" == pull_request ]] &&
    [[ "$(git rev-parse HEAD)" == "${GITHUB_SHA:-}" ]] &&
    git rev-parse --quiet --verify 'HEAD^2' >/dev/null; then
    git rev-parse 'HEAD^1'
    return
  fi
  base="$(python3 -c '
import json, os
with open(os.environ["GITHUB_EVENT_PATH"], encoding="utf-8") as file:
    event = json.load(file)
pull, group = event.get("pull_request") or {}, event.get("merge_group") or {}
print((pull.get("base") or {}).get("sha") or group.get("base_sha") or "")
')"
  [[ -n "$base" ]] || return 0
  git cat-file -e "$base^{commit}" 2>/dev/null ||
    git fetch --quiet --no-tags --depth=1 origin "$base" || return 1
  git merge-base "$base" HEAD 2>/dev/null || echo "$base"
}

# "errors warnings" of a JSON report.
count() {
  python3 -c '
import json, sys
with open(sys.argv[1], "rb") as file:
    levels = [f["level"] for f in json.load(file).get("findings", ())]
print(levels.count("error"), levels.count("warning"))
' "$1"
}

# GitHub refuses a summary of more than a mebibyte, and then fails the step: whole lines of it.
summarize() {
  [[ -s "$1" && -n "${GITHUB_STEP_SUMMARY:-}" ]] || return 0
  python3 -c '
import sys
data = open(sys.argv[1], "rb").read()
if len(data) > 1_000_000:
    data = data[:900_000].rpartition(b"\n")[0] + b"\n\n(cut: the SARIF file has all of it)\n"
sys.stdout.buffer.write(data)
' "$1" >>"$GITHUB_STEP_SUMMARY"
}

check() {
  local reports since args lines code=0 verdict errors=0 warnings=0
  case "$INPUT_FAIL_ON" in
    error | warning | never) ;;
    *) fail "fail-on: error, warning or never, not $(printf %q "$INPUT_FAIL_ON")" ;;
  esac
  mkdir -p "$home"
  reports="$(mktemp -d "$home/report.XXXXXX")" # a job can have this step twice
  export LOCKORDER_CACHE_DIR="${LOCKORDER_CACHE_DIR:-$home/cache}"
  export LOCKORDER_CACHE_SIZE="${LOCKORDER_CACHE_SIZE:-512}" # of the 10 GiB of a repository

  # Values are tied to their options with =, or one that begins with a dash would be another.
  args=(check --also "sarif=$reports/lockorder.sarif" --also "markdown=$reports/summary.md")
  args+=(--also "json=$reports/lockorder.json")
  case "$INPUT_ANNOTATIONS" in
    true) args+=(--format github) ;;
    false) args+=(--format text) ;;
    *) fail "annotations: true or false, not $(printf %q "$INPUT_ANNOTATIONS")" ;;
  esac
  [[ -z "$INPUT_BUILD_DIR" ]] || args+=("-p$INPUT_BUILD_DIR")
  [[ -z "$INPUT_CONFIG" ]] || args+=("--config=$INPUT_CONFIG")
  [[ -z "$INPUT_BASELINE" ]] || args+=("--baseline=$INPUT_BASELINE")
  [[ -z "$INPUT_SELECT" ]] || args+=("--select=$INPUT_SELECT")
  [[ -z "$INPUT_IGNORE" ]] || args+=("--ignore=$INPUT_IGNORE")
  since="$INPUT_CHANGED_SINCE"
  if [[ "$since" == auto ]]; then
    since="$(base_revision)" ||
      fail "changed-since: the base is not here; give actions/checkout fetch-depth: 0"
  fi
  [[ -z "$since" ]] || args+=("--changed-since=$since")
  lines_of "$INPUT_EXTRA_ARGS"
  args+=(${lines[@]+"${lines[@]}"})
  lines_of "$INPUT_PATHS"
  args+=(-- ${lines[@]+"${lines[@]}"})

  printf '+ lockorder'
  printf ' %q' "${args[@]}"
  printf '\n'
  lockorder "${args[@]}" || code=$?

  summarize "$reports/summary.md"
  # 1 means findings, but also that Python fell over: then there is no report.
  if ((code == 1)) && [[ ! -s "$reports/lockorder.json" ]]; then
    code=2
  fi
  if [[ -s "$reports/lockorder.json" ]]; then
    read -r errors warnings <<<"$(count "$reports/lockorder.json")"
  fi
  verdict="$code"
  if ((code == 1)); then
    case "$INPUT_FAIL_ON" in
      never) verdict=0 ;;
      error) verdict=$((errors > 0)) ;;
    esac
  fi
  output exit-code "$code"
  output errors "$errors"
  output findings "$((errors + warnings))"
  output verdict "$verdict"
  if [[ -s "$reports/lockorder.sarif" ]]; then
    output sarif "$reports/lockorder.sarif"
  fi
}

case "${1:-}" in
  install | check) "$1" ;;
  *) fail "action.sh: install or check" ;;
esac
