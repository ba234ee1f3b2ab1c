#!/usr/bin/env bash
# Builds the program by `wails build` into build/bin, to see that the tool of the framework still takes this tree. What is
# given out is made by make dist, which needs no such tool.
#   VERSION, COMMIT   what `zimoscope version` says
#   scripts/wails-build.sh [further arguments of wails build]
# The tool is built in a module of its own, in a temporary folder: with the libraries that it names itself it neither
# builds on this Go nor reads this go.mod. To list the bindings it runs the program, which wants a display: without one,
# xvfb-run gives it; and it wants the front end to be built already, as make wails does. Exit 1 when something fails, and
# it is named.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly WAILS=github.com/wailsapp/wails/v2/cmd/wails TOOLS=golang.org/x/tools@v0.38.0 MOD=golang.org/x/mod@v0.29.0
VERSION=${VERSION:-0.1.0}
COMMIT=${COMMIT-$(git rev-parse --short HEAD 2>/dev/null || true)}
release=$(go list -m -f '{{.Version}}' github.com/wailsapp/wails/v2)

work=$(mktemp -d)
made=()
for file in frontend/wailsjs frontend/package.json.md5; do [ -e "$file" ] || made+=("$file"); done
trap 'rm -rf "$work" "${made[@]}"' EXIT

(
  cd "$work"
  go mod init wails-tool
  go get -tool "$WAILS@$release" "$TOOLS" "$MOD"
  go build -o wails "$WAILS"
) >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }

display=()
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  command -v xvfb-run >/dev/null || { echo "wails-build: there is no display, and xvfb-run is missing (scripts/setup.sh test)" >&2; exit 1; }
  display=(xvfb-run -a)
fi
"${display[@]}" "$work/wails" build -tags webkit2_41 -trimpath -m \
  -ldflags "-X zimoscope/app.Version=$VERSION -X zimoscope/app.Commit=$COMMIT" "$@"
build/bin/zimoscope version
