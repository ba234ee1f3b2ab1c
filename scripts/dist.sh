#!/usr/bin/env bash
# Packs the program into dist/: for this kind of Linux with its window (a .deb and a tarball), for servers without GTK, and
# for Windows. The front end must be built (make dist does that).
#   VERSION, COMMIT     what `zimoscope version` says
#   SOURCE_DATE_EPOCH   the time that all files in the packages get; the last commit's when not set
# The same sources, Go and SOURCE_DATE_EPOCH give the same bytes. Exit 1 when something can't be built, and it is named.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly VERSION=${VERSION:?} COMMIT=${COMMIT:-}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
ARCH=$(go env GOARCH)
export SOURCE_DATE_EPOCH GOFLAGS="${GOFLAGS:-} -buildvcs=false -trimpath"
readonly ARCH LDFLAGS="-s -w -buildid= -X zimoscope/app.Version=$VERSION -X zimoscope/app.Commit=$COMMIT"
readonly WINDOW_TAGS=desktop,production
readonly MAINTAINER="ZimoScope developers" # a project without a mail address of its own: SECURITY.md says how it is reached

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

say() { printf 'dist: %s\n' "$*" >&2; }

documents() { cp LICENSE README.md README.zh-CN.md CHANGELOG.md SECURITY.md "$1/"; }

# tarball FOLDER: dist/FOLDER.tar.gz of $work/FOLDER.
tarball() {
  tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$1" | gzip -9n >"dist/$1.tar.gz"
}

window() {
  local name=zimoscope-$VERSION-linux-$ARCH
  mkdir -p "$work/$name"
  CGO_ENABLED=1 go build -tags "$WINDOW_TAGS,webkit2_41" -ldflags "$LDFLAGS" -o "$work/$name/zimoscope" .
  documents "$work/$name"
  cp build/linux/zimoscope.desktop "$work/$name/"
  cp build/appicon.png "$work/$name/zimoscope.png"
  tarball "$name"
  deb "$work/$name/zimoscope"
}

# deb PROGRAM: the package for Debian 12, Ubuntu 22.04 and what came after them.
deb() {
  local root=$work/deb size
  mkdir -p "$root/DEBIAN" "$root/usr/bin" "$root/usr/share/applications" "$root/usr/share/icons/hicolor/512x512/apps" "$root/usr/share/doc/zimoscope"
  install -m 755 "$1" "$root/usr/bin/zimoscope"
  install -m 644 build/linux/zimoscope.desktop "$root/usr/share/applications/"
  install -m 644 build/appicon.png "$root/usr/share/icons/hicolor/512x512/apps/zimoscope.png"
  install -m 644 LICENSE "$root/usr/share/doc/zimoscope/copyright"
  install -m 644 README.md README.zh-CN.md SECURITY.md "$root/usr/share/doc/zimoscope/"
  gzip -9nc CHANGELOG.md >"$root/usr/share/doc/zimoscope/changelog.gz"
  size=$(du -sk --apparent-size "$root/usr" | cut -f1)
  # GTK has another name where its time_t has 64 bits; the C library is bounded by what the program asks of it.
  cat >"$root/DEBIAN/control" <<CONTROL
Package: zimoscope
Version: $VERSION
Architecture: $ARCH
Maintainer: $MAINTAINER
Installed-Size: $size
Depends: libc6 (>= $(needs_glibc "$1")), libgtk-3-0 | libgtk-3-0t64, libwebkit2gtk-4.1-0
Section: devel
Priority: optional
Description: inspector for LLM agents that drive ZimoOS through MCP tools
 Runs an agent, shows what each request is made of, and proves from the bytes
 that went over the wire that what a provider caches did not change.
CONTROL
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
  find "$root" -print0 | xargs -0 touch -h -d "@$SOURCE_DATE_EPOCH"
  dpkg-deb --root-owner-group -Zxz --build "$root" "dist/zimoscope_${VERSION}_$ARCH.deb" >&2
}

# needs_glibc PROGRAM: the newest version of the C library that one of its symbols names.
needs_glibc() {
  objdump -T "$1" | sed -n 's/.*(\{0,1\}GLIBC_\([0-9.]*\).*/\1/p' | sort -uV | tail -n 1
}

server() {
  local name=zimoscope-server-$VERSION-linux-$ARCH
  mkdir -p "$work/$name"
  CGO_ENABLED=0 go build -ldflags "$LDFLAGS" -o "$work/$name/zimoscope" .
  documents "$work/$name"
  tarball "$name"
}

# windows: the window as a program without a console, and the same commands as one with it.
windows() {
  local name=zimoscope-$VERSION-windows-amd64
  mkdir -p "$work/$name"
  GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -tags "$WINDOW_TAGS" -ldflags "$LDFLAGS -H windowsgui" -o "$work/$name/zimoscope.exe" .
  GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -ldflags "$LDFLAGS" -o "$work/$name/zimoscope-cli.exe" .
  documents "$work/$name"
  go run ./scripts/pack "dist/$name.zip" "$work/$name" "$SOURCE_DATE_EPOCH"
}

main() {
  rm -rf dist && mkdir -p dist
  if pkg-config --exists gtk+-3.0 webkit2gtk-4.1; then
    window
  else
    say "GTK 3 or WebKitGTK 4.1 is missing (scripts/setup.sh run): no package with a window for Linux"
  fi
  server
  windows
  (cd dist && sha256sum -- *.deb *.tar.gz *.zip 2>/dev/null >SHA256SUMS) || true
  (cd dist && sha256sum --quiet -c SHA256SUMS && ls -l) >&2
}

main
