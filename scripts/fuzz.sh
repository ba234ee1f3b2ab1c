#!/usr/bin/env bash
# Runs every fuzz target, one after another.
#   scripts/fuzz.sh 5s                       each for five seconds
#   scripts/fuzz.sh 20000x                   each with so many inputs
#   scripts/fuzz.sh 10m ./backend/zimoos     those of one package
#   scripts/fuzz.sh 2s '' 3                  every third target only, another third each day
# What fails is written into the package's testdata/fuzz, where it is a test from then on: keep it with the fix.
# Exit 1 when a target failed; the others ran all the same.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly TIME=${1:?say for how long, such as 30s} PACKAGES=${2:-./...} EVERY=${3:-1}

# Go's fuzzer can report its own end of time as a failure, without an input (golang/go#75804): only that is let pass.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ended_by_its_clock() {
  grep -q '^    context deadline exceeded$' "$log" && ! grep -qE 'Failing input written|panic:|_test\.go:' "$log"
}

status=0 at=$(($(date +%j | sed 's/^0*//') % EVERY))
while read -r package target; do
  at=$(((at + 1) % EVERY))
  [ "$at" = 0 ] || continue
  printf 'fuzz: %s %s for %s\n' "${package#zimoscope/}" "$target" "$TIME"
  go test -run xxx -fuzz "^$target\$" -fuzztime "$TIME" -fuzzminimizetime 1s "$package" 2>&1 | tee "$log" ||
    ended_by_its_clock || status=1
done < <(
  # shellcheck disable=SC2086
  for package in $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}' $PACKAGES | while read -r p dir; do
    [ -f "$dir/fuzz_test.go" ] && echo "$p"
  done); do
    dir=$(go list -f '{{.Dir}}' "$package")
    sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$dir/fuzz_test.go" | while read -r target; do echo "$package $target"; done
  done
)
exit $status
