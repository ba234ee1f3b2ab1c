#!/usr/bin/env bash
# Makes a true inference engine out of the npm registry alone, to hold predicted cache reuse against measured reuse.
# Prints the path of a llama-server. Everything lies under $XDG_CACHE_HOME/zimoscope (else ~/.cache/zimoscope), nothing in
# the source tree; a second run finds it there.
#   scripts/kv/engine.sh
# Exit 0: it is there. Exit 3: it can't be made here, for want of a tool or a network. Exit 1: making it failed. The last
# line on stderr says what.
#
# The package node-llama-cpp carries the engine's libraries, built, and its source as a git bundle. Only the server
# itself is compiled here (about two minutes on two cores) and linked to those libraries.
set -euo pipefail

readonly PACKAGE=3.21.1
readonly HOME_OF_IT="${XDG_CACHE_HOME:-$HOME/.cache}/zimoscope/kv-$PACKAGE"
readonly LIBRARIES="$HOME_OF_IT/node_modules/@node-llama-cpp/linux-x64/bins/linux-x64"
readonly BUNDLE="$HOME_OF_IT/node_modules/node-llama-cpp/llama/gitRelease.bundle"
readonly SERVER="$LIBRARIES/llama-server" # beside its libraries: it looks for them in its own folder

say() { printf 'engine: %s\n' "$*" >&2; }

# fail TEXT [STATUS]
fail() {
  say "$1"
  exit "${2:-1}"
}

check_tools() {
  [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || fail "the built libraries are for Linux on x86-64; this is $(uname -s) on $(uname -m)" 3
  local tool missing=()
  for tool in npm git cmake ninja g++; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  [ ${#missing[@]} = 0 ] || fail "missing: ${missing[*]}. On Debian or Ubuntu: sudo apt-get install npm git cmake ninja-build g++" 3
}

# Without install scripts and optional packages: those would fetch builds for graphics cards, several hundred MB.
fetch() {
  [ -f "$BUNDLE" ] && [ -d "$LIBRARIES" ] && return
  say "fetching node-llama-cpp $PACKAGE with npm (83 MB)"
  mkdir -p "$HOME_OF_IT"
  echo '{"private": true}' >"$HOME_OF_IT/package.json"
  npm --prefix "$HOME_OF_IT" install --save-exact --ignore-scripts --omit=optional --no-audit --no-fund --silent \
    "node-llama-cpp@$PACKAGE" "@node-llama-cpp/linux-x64@$PACKAGE" >&2 || fail "npm could not fetch the engine; is there a network?" 3
}

# objects lists the object files of the server and of what it alone needs.
objects() {
  ninja -C "$1" -t targets all | sed -n -E 's/: (C|CXX)_COMPILER.*//p' |
    grep -E '^(tools/server|tools/mtmd/CMakeFiles/mtmd\.dir|tools/ui/CMakeFiles/llama-ui\.dir|vendor/(cpp-httplib|hash))/'
}

build() {
  local work="$HOME_OF_IT/build" source="$HOME_OF_IT/source" list
  say "compiling the server, about two minutes"
  rm -rf "$work" "$source"
  git -c advice.detachedHead=false clone --quiet "$BUNDLE" "$source"
  cmake -S "$source" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
    -DBUILD_SHARED_LIBS=OFF -DGGML_BACKEND_DL=OFF -DGGML_OPENMP=OFF -DLLAMA_OPENSSL=OFF -DLLAMA_BUILD_TESTS=OFF \
    -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF >"$HOME_OF_IT/build.log" 2>&1 ||
    fail "cmake failed; see $HOME_OF_IT/build.log"
  mapfile -t list < <(objects "$work")
  # The first target writes a header that the others include.
  { ninja -C "$work" tools/ui/libllama-ui.a && ninja -C "$work" "${list[@]}"; } >>"$HOME_OF_IT/build.log" 2>&1 ||
    fail "the compiler failed; see $HOME_OF_IT/build.log"
  (cd "$work" && g++ -s -o "$SERVER.new" "${list[@]}" -L"$LIBRARIES" -l:libllama-common.so -l:libllama.v0.4.0.so \
    -l:libggml.v0.4.0.so -l:libggml-base.so -Wl,-rpath,"\$ORIGIN" -ldl -lm) >>"$HOME_OF_IT/build.log" 2>&1 ||
    fail "the linker failed; see $HOME_OF_IT/build.log"
  mv "$SERVER.new" "$SERVER"
  rm -rf "$work" "$source"
}

main() {
  if [ ! -x "$SERVER" ]; then
    check_tools
    fetch
    build
  fi
  printf '%s\n' "$SERVER"
}

main
