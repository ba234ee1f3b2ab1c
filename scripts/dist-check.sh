#!/usr/bin/env bash
# Checks what scripts/dist.sh packed: which files, whose, and that the programs say their version and need what they
# claim. As root and with xvfb-run the .deb is installed, its window opened on a new home, and it is removed again.
#   VERSION, COMMIT   what the programs must say
# Exit 1 with a line for each thing that is wrong.
set -euo pipefail
cd "$(dirname "$0")/../dist"

readonly VERSION=${VERSION:?} COMMIT=${COMMIT:-}
ARCH=$(go env GOARCH)
readonly ARCH WINDOW_WAIT=30 # seconds for the window to come

bad=0
wrong() { printf 'dist-check: %s\n' "$*" >&2; bad=1; }
said() { printf 'zimoscope %s%s' "$VERSION" "${COMMIT:+ ($COMMIT)}"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# holds LIST FILE…: a list of names has each of them.
holds() {
  local list=$1 name
  shift
  for name in "$@"; do grep -qx -- "$name" <<<"$list" || wrong "$name is missing in $what"; done
}

sums() {
  sha256sum --quiet -c SHA256SUMS || wrong "a checksum does not agree"
  local file
  for file in *.deb *.tar.gz *.zip; do
    [ ! -e "$file" ] || grep -q " $file\$" SHA256SUMS || wrong "$file has no checksum"
  done
}

tarballs() {
  local kind list
  for kind in zimoscope zimoscope-server; do
    what=$kind-$VERSION-linux-$ARCH.tar.gz
    [ -f "$what" ] || { [ "$kind" = zimoscope ] && echo "dist-check: $what was not built here" >&2 || wrong "$what is missing"; continue; }
    list=$(tar -tzf "$what")
    holds "$list" "$kind-$VERSION-linux-$ARCH/zimoscope" "$kind-$VERSION-linux-$ARCH/LICENSE" "$kind-$VERSION-linux-$ARCH/README.md" "$kind-$VERSION-linux-$ARCH/SECURITY.md"
    [ -z "$(tar --numeric-owner -tvzf "$what" | awk '$2 != "0/0"')" ] || wrong "$what names an owner"
    tar -C "$work" -xzf "$what"
    [ "$("$work/$kind-$VERSION-linux-$ARCH/zimoscope" version)" = "$(said)" ] || wrong "the program in $what does not say $(said)"
  done
  ! ldd "$work/zimoscope-server-$VERSION-linux-$ARCH/zimoscope" >/dev/null 2>&1 || wrong "the server's program needs shared libraries"
}

windows() {
  what=zimoscope-$VERSION-windows-amd64.zip
  local list
  list=$(unzip -Z1 "$what")
  holds "$list" "${what%.zip}/zimoscope.exe" "${what%.zip}/zimoscope-cli.exe" "${what%.zip}/LICENSE"
  unzip -q "$what" -d "$work"
  local exe
  for exe in zimoscope zimoscope-cli; do
    [ "$(head -c2 "$work/${what%.zip}/$exe.exe")" = MZ ] || wrong "$exe.exe is no program for Windows"
    grep -qaF "$VERSION" "$work/${what%.zip}/$exe.exe" || wrong "$exe.exe does not hold its version"
  done
}

deb() {
  what=zimoscope_${VERSION}_$ARCH.deb
  [ -f "$what" ] || return 0
  local list depends
  list=$(dpkg-deb -c "$what" | awk '{print $6}')
  holds "$list" ./usr/bin/zimoscope ./usr/share/applications/zimoscope.desktop ./usr/share/icons/hicolor/512x512/apps/zimoscope.png ./usr/share/doc/zimoscope/copyright
  [ -z "$(dpkg-deb -c "$what" | awk '$2 != "root/root"')" ] || wrong "$what has files of another owner"
  [ -z "$(dpkg-deb -c "$what" | awk '$1 !~ /^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x)$/')" ] || wrong "$what has files of an odd mode"
  [[ $(dpkg-deb -f "$what" Maintainer) != *@example.* ]] || wrong "$what names a maintainer who is none"
  depends=$(dpkg-deb -f "$what" Depends)
  for name in libwebkit2gtk-4.1-0 libgtk-3-0 libc6; do
    [[ $depends == *$name* ]] || wrong "$what does not depend on $name"
  done
  if [ "$(id -u)" != 0 ] || ! command -v xvfb-run >/dev/null; then
    echo "dist-check: $what was not installed: that takes root and xvfb-run" >&2
    return 0
  fi
  if dpkg-query -W zimoscope >/dev/null 2>&1; then
    echo "dist-check: $what was not installed: the package is there already" >&2
    return 0
  fi
  dpkg -i "$what" >&2 || { wrong "$what can't be installed"; dpkg -r zimoscope >&2; return 0; }
  installed
  dpkg -r zimoscope >&2
  [ ! -e /usr/bin/zimoscope ] || wrong "removing the package leaves its program"
}

# installed starts what was installed as a person does who has never used it: nothing is asked, the window comes.
installed() {
  [ "$(/usr/bin/zimoscope version)" = "$(said)" ] || wrong "the installed program does not say $(said)"
  mkdir "$work/home"
  # shellcheck disable=SC2016
  HOME=$work/home XDG_DATA_HOME= XDG_CONFIG_HOME= timeout $((3 * WINDOW_WAIT)) xvfb-run -a -s "-screen 0 1280x900x24" bash -c '
    /usr/bin/zimoscope &
    id=$!
    found=1
    for _ in $(seq '"$WINDOW_WAIT"'); do
      if xdotool search --onlyvisible --name ZimoScope >/dev/null 2>&1; then found=0; break; fi
      kill -0 $id 2>/dev/null || break
      sleep 1
    done
    kill $id 2>/dev/null
    wait $id
    exit $found' </dev/null >"$work/window.log" 2>&1 || { wrong "the installed window does not come:"; cat "$work/window.log" >&2; }
}

sums
tarballs
windows
deb
[ "$bad" = 0 ] && echo "dist-check: the packages are as they should be"
exit "$bad"
