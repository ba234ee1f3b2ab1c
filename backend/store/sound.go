package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// The layout of a bbolt file, version 2. Numbers are little-endian wherever it is opened again: bbolt writes those of the
// machine, and a file of the other kind has no meta page that passes.
const (
	boltMagic   = 0xED0CDAED
	boltVersion = 2
	pageHeader  = 16 // id 8, flags 2, count 2, overflow 4
	elementSize = 16
	metaSize    = 64 // of which the last 8 bytes are the checksum
	branchPage  = 0x01
	leafPage    = 0x02
	bucketEntry = 0x01
	bucketHead  = 16
	minPageSize = 512
	maxPageSize = 64 << 10
	// maxDepth is more levels than a file of any size has.
	maxDepth = 64
)

// errUnsound is the cause inside ErrDamaged: what bbolt itself would meet as a fault of the memory map or in a goroutine
// of its own, where nothing can be recovered.
var errUnsound = errors.New("its pages don't fit together")

func unsound(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errUnsound, fmt.Sprintf(format, args...))
}

// sound reads the page headers and keys of a file and says whether bbolt can be let near it. An empty file is not: bbolt
// would make a new one of it, and a session gets its name only when it is whole. Nobody may write the file meanwhile.
func sound(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	st, err := f.Stat()
	if err != nil {
		return err
	}
	if st.Size() == 0 {
		return unsound("the file is empty")
	}
	w := &walker{f: f, size: uint64(st.Size())}
	root, err := w.meta()
	if err != nil {
		return err
	}
	w.seen = make([]uint64, w.pages/64+1)
	return w.page(root, nil, nil, 0)
}

// walker goes through the tree, every page once.
type walker struct {
	f        io.ReaderAt
	size     uint64
	pageSize uint64
	pages    uint64 // the pages in use lie below it
	seen     []uint64
}

// meta picks the newer of the two pages that say which state counts.
func (w *walker) meta() (root uint64, err error) {
	newest, found := uint64(0), false
	for at := uint64(0); at <= maxPageSize; at = max(minPageSize, 2*at) { // the second lies where the first page ends
		m, ok := w.metaAt(at)
		if !ok || at > 0 && uint64(binary.LittleEndian.Uint32(m[8:])) != at {
			continue
		}
		if id := binary.LittleEndian.Uint64(m[48:]); !found || id > newest {
			newest, found = id, true
			w.pageSize = uint64(binary.LittleEndian.Uint32(m[8:]))
			root, w.pages = binary.LittleEndian.Uint64(m[16:]), binary.LittleEndian.Uint64(m[40:])
		}
	}
	switch {
	case !found:
		return 0, unsound("no page says which state counts")
	case w.pageSize < minPageSize || w.pageSize > maxPageSize:
		return 0, unsound("pages of %d bytes", w.pageSize)
	case w.pages > w.size/w.pageSize:
		return 0, unsound("%d pages are in use, the file has %d", w.pages, w.size/w.pageSize)
	}
	return root, nil
}

func (w *walker) metaAt(at uint64) ([]byte, bool) {
	m := make([]byte, metaSize)
	if _, err := w.f.ReadAt(m, int64(at)+pageHeader); err != nil {
		return nil, false
	}
	sum := fnv.New64a()
	_, _ = sum.Write(m[:metaSize-8]) // never fails
	return m, binary.LittleEndian.Uint32(m) == boltMagic && binary.LittleEndian.Uint32(m[4:]) == boltVersion &&
		binary.LittleEndian.Uint64(m[metaSize-8:]) == sum.Sum64()
}

// claim marks pages as used, and refuses those that are already.
func (w *walker) claim(id, count uint64) error {
	if id < 2 || id >= w.pages || count > w.pages-id {
		return unsound("page %d of %d", id, w.pages)
	}
	for i := id; i < id+count; i++ {
		if w.seen[i/64]&(1<<(i%64)) != 0 {
			return unsound("page %d stands in two places", i)
		}
		w.seen[i/64] |= 1 << (i % 64)
	}
	return nil
}

// page checks a page and all below it. Its keys lie from least on and below most, where these are given.
func (w *walker) page(id uint64, least, most []byte, depth int) error {
	if depth > maxDepth {
		return unsound("the tree is too deep at page %d", id)
	}
	if id < 2 || id >= w.pages {
		return unsound("page %d of %d", id, w.pages)
	}
	first := make([]byte, w.pageSize)
	if _, err := w.f.ReadAt(first, int64(id*w.pageSize)); err != nil {
		return unsound("page %d can't be read (%v)", id, err)
	}
	if self := binary.LittleEndian.Uint64(first); self != id {
		return unsound("page %d calls itself %d", id, self)
	}
	count := 1 + uint64(binary.LittleEndian.Uint32(first[12:]))
	if err := w.claim(id, count); err != nil {
		return err
	}
	whole := io.NewSectionReader(w.f, int64(id*w.pageSize), int64(count*w.pageSize))
	p := &extent{in: whole, loaded: first, size: count * w.pageSize}
	return w.elements(p, least, most, depth)
}

// extent is a page with what it overflows to, of which only what is asked for is read. An inline bucket is one too.
type extent struct {
	in     io.ReaderAt
	loaded []byte
	size   uint64
}

func (x *extent) at(from, n uint64) ([]byte, error) {
	if n > x.size || from > x.size-n {
		return nil, unsound("an element leads beyond its page")
	}
	if from+n <= uint64(len(x.loaded)) {
		return x.loaded[from : from+n], nil
	}
	b := make([]byte, n)
	_, err := x.in.ReadAt(b, int64(from))
	return b, err
}

func (w *walker) elements(p *extent, least, most []byte, depth int) error {
	head, err := p.at(0, pageHeader)
	if err != nil {
		return err
	}
	flags, count := binary.LittleEndian.Uint16(head[8:]), uint64(binary.LittleEndian.Uint16(head[10:]))
	if flags != branchPage && flags != leafPage || flags == branchPage && count == 0 {
		return unsound("a page of kind %#x with %d elements", flags, count)
	}
	table, err := p.at(pageHeader, count*elementSize)
	if err != nil {
		return err
	}
	key := func(i uint64) ([]byte, error) { return keyOf(p, flags, i, table[i*elementSize:]) }
	before := least
	for i := range count {
		k, err := key(i)
		if err != nil {
			return err
		}
		if c := bytes.Compare(before, k); i > 0 && c >= 0 || c > 0 || most != nil && bytes.Compare(k, most) >= 0 {
			return unsound("the keys are out of order")
		}
		before = k
		below := most
		if i+1 < count {
			if below, err = key(i + 1); err != nil {
				return err
			}
		}
		if err := w.element(p, flags, i, table[i*elementSize:], k, below, depth); err != nil {
			return err
		}
	}
	return nil
}

// keyOf gives the key of an element, whose place is told from the element itself on.
func keyOf(p *extent, flags uint16, i uint64, e []byte) ([]byte, error) {
	pos, size := binary.LittleEndian.Uint32(e), binary.LittleEndian.Uint32(e[4:])
	if flags == leafPage {
		pos, size = binary.LittleEndian.Uint32(e[4:]), binary.LittleEndian.Uint32(e[8:])
	}
	return p.at(pageHeader+i*elementSize+uint64(pos), uint64(size))
}

// element goes on to what an element leads to: a page below, or a bucket.
func (w *walker) element(p *extent, flags uint16, i uint64, e, key, below []byte, depth int) error {
	if flags == branchPage {
		return w.page(binary.LittleEndian.Uint64(e[8:]), key, below, depth+1)
	}
	from := pageHeader + i*elementSize + uint64(binary.LittleEndian.Uint32(e[4:])) + uint64(binary.LittleEndian.Uint32(e[8:]))
	size := uint64(binary.LittleEndian.Uint32(e[12:]))
	if size > p.size || from > p.size-size {
		return unsound("a value leads beyond its page")
	}
	if binary.LittleEndian.Uint32(e)&bucketEntry == 0 {
		return nil
	}
	value, err := p.at(from, size)
	if err != nil {
		return err
	}
	if size < bucketHead {
		return unsound("a bucket of %d bytes", size)
	}
	if root := binary.LittleEndian.Uint64(value); root != 0 {
		return w.page(root, nil, nil, depth+1)
	}
	if depth > maxDepth {
		return unsound("buckets are nested too deep")
	}
	inline := value[bucketHead:]
	x := &extent{in: bytes.NewReader(inline), loaded: inline, size: uint64(len(inline))}
	return w.elements(x, nil, nil, depth+1)
}
