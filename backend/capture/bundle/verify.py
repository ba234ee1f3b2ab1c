#!/usr/bin/env python3
"""Checks a ZimoScope proof bundle with nothing but Python's standard library.

    python3 verify.py [FOLDER]        exit 0: whole, 1: altered, 2: no bundle

Every body is read as bytes; a small JSON scanner finds the bytes of the model, of each tool, of the system value and
of each message, and hashes them:

    leaf(kind, b) = SHA-256(kind, 0x00, b)
    link[0]       = SHA-256("zimoscope-chain/1", 0x00, leaf("model", model))
    link[i+1]     = SHA-256(link[i], leaf_i)
    rest          = leaf("rest", the body with the model, and what stands between the brackets of tools, system and
                    messages, each replaced by one 0x00)
"""
import hashlib
import json
import os
import sys

SPACE = b" \t\r\n"


class Bad(Exception):
    pass


def space(b, i):
    while i < len(b) and b[i] in SPACE:
        i += 1
    return i


def string(b, i):
    if b[i:i + 1] != b'"':
        raise Bad("byte %d: no string" % i)
    i += 1
    while True:
        j = b.find(b'"', i)
        if j < 0:
            raise Bad("a string does not end")
        k = j - 1
        while b[k] == 0x5C:
            k -= 1
        i = j + 1
        if (j - 1 - k) % 2 == 0:
            return i


def value(b, i):
    """The offset behind the JSON value at i."""
    c = b[i:i + 1]
    if c == b'"':
        return string(b, i)
    if c not in (b"{", b"["):
        start = i
        while i < len(b) and b[i] not in SPACE + b",:[]{}\"":
            i += 1
        if i == start:
            raise Bad("byte %d: no value" % i)
        return i
    depth = 0
    while i < len(b):
        c = b[i:i + 1]
        if c == b'"':
            i = string(b, i)
            continue
        if c in (b"{", b"["):
            depth += 1
        elif c in (b"}", b"]"):
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    raise Bad("a value does not end")


def members(b):
    i = space(b, 0)
    if b[i:i + 1] != b"{":
        raise Bad("not one JSON object")
    i = space(b, i + 1)
    while b[i:i + 1] != b"}":
        end = string(b, i)
        name = json.loads(b[i:end])
        i = space(b, end)
        if b[i:i + 1] != b":":
            raise Bad("byte %d: no colon" % i)
        i = space(b, i + 1)
        end = value(b, i)
        yield name, i, end
        i = space(b, end)
        if b[i:i + 1] == b",":
            i = space(b, i + 1)
        elif b[i:i + 1] != b"}":
            raise Bad("byte %d: no comma" % i)
    if space(b, i + 1) != len(b):
        raise Bad("bytes behind the object")


def elements(b, i):
    i = space(b, i + 1)
    out = []
    while b[i:i + 1] != b"]":
        end = value(b, i)
        out.append((i, end))
        i = space(b, end)
        if b[i:i + 1] == b",":
            i = space(b, i + 1)
        elif b[i:i + 1] != b"]":
            raise Bad("byte %d: no comma" % i)
    return out


def leaf(kind, b):
    return hashlib.sha256(kind.encode() + b"\0" + b).digest()


def scan(b):
    """The parts of a body in chain order as (kind, index, start, end), and the leaf of the rest."""
    found = {}
    for name, start, end in members(b):
        if name in ("model", "tools", "system", "instructions", "messages", "input"):
            if name in found:
                raise Bad("%s stands there twice" % name)
            found[name] = (start, end)
    if "messages" not in found and "input" not in found:
        raise Bad("messages is missing")
    parts, cuts = [], []
    if "model" in found:
        parts.append(("model", 0) + found["model"])
        cuts.append(found["model"])
    else:
        parts.append(("model", 0, 0, 0))
    for kind, names in (("tool", ["tools"]), ("system", ["system", "instructions"]), ("message", ["messages", "input"])):
        there = [found[name] for name in names if name in found]
        if not there:
            continue
        start, end = max(there) if kind == "system" else there[0]
        if kind == "system" or b[start:start + 1] != b"[":
            if kind == "tool":
                continue
            parts.append((kind, 0, start, end))
            cuts.append((start, end))
            continue
        for i, (s, e) in enumerate(elements(b, start)):
            parts.append((kind, i, s, e))
        cuts.append((start + 1, end - 1))
    rest, at = [], 0
    for s, e in sorted(cuts):
        rest.append(b[at:s])
        at = e
    rest.append(b[at:])
    return parts, leaf("rest", b"\0".join(rest))


def check_body(b, q, problem):
    parts, rest = scan(b)
    if len(parts) != len(q["parts"]):
        return problem("it has %d parts, the manifest says %d" % (len(parts), len(q["parts"])))
    link = None
    for (kind, index, start, end), p in zip(parts, q["parts"]):
        raw = b[start:end] if end else b"null"
        have = bytes.fromhex(p["sha256"]) if p.get("claimed") else leaf(kind, raw)
        first = b"zimoscope-chain/1\0" if link is None else link
        link = hashlib.sha256(first + have).digest()
        same = (kind, index, start, end) == (p["kind"], p["index"], p["start"], p["end"])
        if not same or have.hex() != p["sha256"] or link.hex() != p["link"]:
            return problem("%s %d (bytes %d to %d) is not as claimed" % (kind, index, start, end))
    if link.hex() != q["link"]:
        problem("its last link is not as claimed")
    if rest.hex() != q["rest"] and not q.get("rest_claimed"):
        problem("parameters or layout outside the chain are not as claimed")
    return None


class Bundle:
    """One folder while it is checked."""

    def __init__(self, root, manifest):
        self.root, self.manifest = root, manifest
        self.problems, self.claimed, self.listed = [], 0, {"manifest.json"}

    def read(self, name):
        self.listed.add(name)
        if name.startswith("/") or ".." in name.split("/"):
            self.problems.append("%s: leads out of the bundle" % name)
            return None
        try:
            with open(os.path.join(self.root, *name.split("/")), "rb") as f:
                return f.read()
        except (OSError, ValueError):
            self.problems.append("%s: missing" % name)
            return None

    def sums(self):
        sums = self.read("SHA256SUMS") or b""
        for line in sums.decode("utf-8", "replace").splitlines(True):
            want, name = line[:64], line[66:-1]
            b = self.read(name)
            if line != want + "  " + name + "\n" or b is not None and hashlib.sha256(b).hexdigest() != want:
                self.problems.append("%s: not as listed in SHA256SUMS" % name)
        if b"  manifest.json\n" not in sums:
            self.problems.append("SHA256SUMS: manifest.json is not in it")

    def file(self, f):
        b = self.read(f["file"])
        if b is not None and hashlib.sha256(b).hexdigest() != f["sha256"]:
            self.problems.append("%s: altered" % f["file"])

    def request(self, q):
        name = q["file"]
        b = self.read(name)
        if b is None:
            return
        if hashlib.sha256(b).hexdigest() != q["sha256"]:
            self.problems.append("%s: altered: its sha256 is not as claimed" % name)
        if q["kind"] == "other":
            return
        self.claimed += sum(1 for p in q["parts"] if p.get("claimed"))
        self.claimed += 1 if q.get("rest_claimed") else 0
        try:
            check_body(b, q, lambda text: self.problems.append("%s: %s" % (name, text)))
        except (Bad, ValueError, IndexError, RecursionError) as e:
            self.problems.append("%s: can't be read: %s" % (name, e))

    def unlisted(self):
        for base, _, names in os.walk(self.root):
            for name in names:
                path = os.path.relpath(os.path.join(base, name), self.root).replace(os.sep, "/")
                if path not in self.listed:
                    self.problems.append("%s: not in the manifest" % path)

    def check(self):
        self.sums()
        try:
            for f in self.manifest["files"]:
                self.file(f)
            for q in self.manifest["requests"]:
                self.request(q)
        except (LookupError, TypeError, AttributeError, ValueError) as e:
            self.problems.append("manifest.json: not as it was written: %r" % e)
        self.unlisted()


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    try:
        with open(os.path.join(root, "manifest.json"), "rb") as f:
            m = json.load(f)
        if m["bundle"] != "zimoscope-bundle/1" or m["chain"] != "zimoscope-chain/1":
            raise ValueError
        number = len(m["requests"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        print("%s: no proof bundle" % root)
        return 2
    bundle = Bundle(root, m)
    bundle.check()
    for p in bundle.problems:
        print(p.encode("ascii", "backslashreplace").decode())
    print("%d requests, %d parts claimed and not recomputable, %d problems" % (number, bundle.claimed, len(bundle.problems)))
    return 1 if bundle.problems else 0


if __name__ == "__main__":
    sys.exit(main())
