package proxy

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

const (
	// maxDecodedBytes is how far a compressed body is unpacked, in bytes: a small one can hold gigabytes.
	maxDecodedBytes = 128 << 20
	// maxEncodings is how many encodings may lie over each other.
	maxEncodings = 3
	// maxWindowBytes is how much memory a zstd frame may ask for, in bytes; no HTTP client takes more than 8 MB.
	maxWindowBytes = 8 << 20
)

// decode takes the content encodings off a body. With an error it gives what could be read, nil when nothing could.
func decode(body []byte, encoding string) ([]byte, error) {
	var names []string
	for name := range strings.SplitSeq(strings.ToLower(encoding), ",") {
		if name = strings.TrimSpace(name); name != "" && name != "identity" {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(body) == 0 {
		return body, nil
	}
	if len(names) > maxEncodings {
		return nil, fmt.Errorf("it is compressed %d times over", len(names))
	}
	slices.Reverse(names)
	var r io.Reader = bytes.NewReader(body)
	for _, name := range names {
		layer, closer, err := unpacker(name, r)
		if err != nil {
			return nil, err
		}
		defer closer()
		r = layer
	}
	out, err := io.ReadAll(io.LimitReader(r, maxDecodedBytes+1))
	if len(out) > maxDecodedBytes {
		return out[:maxDecodedBytes:maxDecodedBytes], fmt.Errorf("it unpacks to more than %d MB", maxDecodedBytes>>20)
	}
	if err != nil {
		return out, fmt.Errorf("unpacking %s ended with: %w", encoding, err)
	}
	return out, nil
}

// unpacker reads one encoding.
func unpacker(name string, r io.Reader) (io.Reader, func(), error) {
	nothing := func() {}
	switch name {
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, nil, fmt.Errorf("unpacking gzip ended with: %w", err)
		}
		return z, nothing, nil
	case "deflate":
		return inflate(r), nothing, nil
	case "br":
		return brotli.NewReader(r), nothing, nil
	case "zstd":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindowBytes))
		if err != nil {
			return nil, nil, fmt.Errorf("unpacking zstd ended with: %w", err)
		}
		return z, z.Close, nil
	}
	return nil, nil, fmt.Errorf("it is compressed with %s, which can't be read here", name)
}

// inflate reads deflate in both forms that are in use: with the zlib header, as the standard says, and without.
func inflate(r io.Reader) io.Reader {
	b := bufio.NewReader(r)
	if z, err := zlib.NewReader(peeked(b)); err == nil && z.Close() == nil {
		if z, err = zlib.NewReader(b); err == nil {
			return z
		}
	}
	return flate.NewReader(b)
}

// peeked is the header of what b holds, unread.
func peeked(b *bufio.Reader) io.Reader {
	const zlibHeader = 2
	head, _ := b.Peek(zlibHeader)
	return bytes.NewReader(head)
}
