#!/usr/bin/env bash
# Installs what ZimoScope's window and tests need from Debian's or Ubuntu's packages. Asks nothing and does nothing
# when all is there.
#   scripts/setup.sh run     to build and open the window
#   scripts/setup.sh serve   to build without the window
#   scripts/setup.sh test    to run all tests, the window's included
# Exit 0: all is there now. Exit 1: something is missing, and the last lines say what and how to get it.
set -euo pipefail

readonly GO_MIN=1.26 NODE_MIN=20
readonly WINDOW_PACKAGES="gcc libc6-dev pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev"
readonly TEST_PACKAGES="xvfb xauth xdotool imagemagick fonts-wqy-microhei chromium webkit2gtk-driver"

say() { printf 'setup: %s\n' "$*" >&2; }

# at_least A B: version A is B or newer.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n1)" = "$2" ]; }

# The toolchains come from the user: distributions lag behind what is needed.
check_tools() {
  local bad=0 have
  if ! have=$(go env GOVERSION 2>/dev/null); then
    say "Go is missing. Install Go $GO_MIN or newer from https://go.dev/dl/ and run this again."; bad=1
  elif ! at_least "${have#go}" "$GO_MIN"; then
    say "Go ${have#go} is too old. Install Go $GO_MIN or newer from https://go.dev/dl/ and run this again."; bad=1
  fi
  if ! have=$(node --version 2>/dev/null) || ! command -v npm >/dev/null; then
    say "Node.js with npm is missing. Install Node.js $NODE_MIN or newer from https://nodejs.org/ and run this again."; bad=1
  elif ! at_least "${have#v}" "$NODE_MIN"; then
    say "Node.js ${have#v} is too old. Install Node.js $NODE_MIN or newer from https://nodejs.org/ and run this again."; bad=1
  fi
  return $bad
}

installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

# missing prints those of its arguments that are not installed. On Ubuntu chromium is a snap, which a container can't
# run; another Chrome does as well.
missing() {
  local p
  for p in "$@"; do
    installed "$p" && continue
    [ "$p" = chromium ] && { command -v chromium chromium-browser google-chrome >/dev/null && continue; }
    [ "$p" = chromium ] && grep -qi '^ID=ubuntu' /etc/os-release && continue
    printf '%s ' "$p"
  done
}

# as_root runs a command as root without a prompt, or fails.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo -n "$@"; else return 1; fi
}

install_packages() {
  local list=$1
  say "installing with apt-get: $list"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  if as_root apt-get -q update >&2 && as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends $list >&2; then
    return 0
  fi
  say "these packages could not be installed. Nothing else was changed. Install them by hand and run this again:"
  say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $list"
  return 1
}

# other_system only looks, because package names differ.
other_system() {
  if pkg-config --exists gtk+-3.0 webkit2gtk-4.1 2>/dev/null && command -v gcc >/dev/null; then
    return 0
  fi
  say "this is not Debian or Ubuntu, so nothing was installed. The window needs gcc, pkg-config, and the development"
  say "files of GTK 3 and WebKitGTK 4.1 (Fedora: gtk3-devel webkit2gtk4.1-devel; Arch: gtk3 webkit2gtk-4.1)."
  say "'make serve' does without them and shows the same in a browser."
  return 1
}

main() {
  local want list
  case "${1:-}" in
    run) want=$WINDOW_PACKAGES ;;
    serve) want= ;;
    test) want="$WINDOW_PACKAGES $TEST_PACKAGES" ;;
    *) say "say what for: run, serve or test"; exit 2 ;;
  esac
  check_tools || exit 1
  [ -z "$want" ] && exit 0
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    other_system || exit 1
    exit 0
  fi
  # shellcheck disable=SC2086
  list=$(missing $want)
  [ -z "$list" ] || install_packages "$list" || exit 1
}

main "$@"
