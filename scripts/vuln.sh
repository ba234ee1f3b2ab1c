#!/usr/bin/env bash
# Looks for known weaknesses: govulncheck for what the Go programs really call, npm audit for the front end. Both need a
# network. Exit 0 nothing found, 1 something found, and it is named; where a source can't be reached, that is said and is
# no failure.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly GOVULNCHECK=golang.org/x/vuln/cmd/govulncheck@latest
status=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# unreached LOG: the tool failed for the network's sake.
unreached() { grep -qiE 'no such host|connection refused|timeout|i/o timeout|403 Forbidden|404 Not Found|ENOTFOUND|ECONNREFUSED|EAI_AGAIN|audit endpoint|not implemented|dial tcp|proxyconnect' "$1"; }

# look NAME COMMAND…
look() {
  local name=$1
  shift
  if "$@" >"$log" 2>&1; then
    echo "vuln: $name: nothing found"
  elif unreached "$log"; then
    echo "vuln: $name: its source can't be reached here, so nothing was looked for" >&2
  else
    cat "$log"
    status=1
  fi
}

look "Go" go run "$GOVULNCHECK" ./...
look "front end" npm --prefix frontend audit --omit=dev
exit $status
