// Package gguf writes a small language model into a GGUF file: enough of the format to run it in llama.cpp.
//
// Contract: the same Spec gives the same bytes. The weights are random, so the model says nothing; a built-in policy lets
// it call tools with short arguments and write short texts, so that an agent has something to work with. Its vocabulary is
// one token for each byte and five special ones.
package gguf

import (
	"encoding/binary"
	"io"
	"math"
)

// Types of metadata values, and of tensors, as the format numbers them.
const (
	valueU32    = 4
	valueI32    = 5
	valueF32    = 6
	valueBool   = 7
	valueString = 8
	valueArray  = 9

	tensorF32 = 0

	formatVersion = 3
	alignment     = 32 // bytes, of each tensor
)

// value is one metadata entry, its value encoded.
type value struct {
	key  string
	kind uint32
	raw  []byte
}

func str(key, s string) value     { return value{key, valueString, text(nil, s)} }
func u32(key string, n int) value { return value{key, valueU32, number(nil, uint32(n))} }
func yesNo(key string, b bool) value {
	if b {
		return value{key, valueBool, []byte{1}}
	}
	return value{key, valueBool, []byte{0}}
}
func f32(key string, f float64) value {
	return value{key, valueF32, number(nil, math.Float32bits(float32(f)))}
}

func strs(key string, list []string) value {
	raw := count(number(nil, valueString), len(list))
	for _, s := range list {
		raw = text(raw, s)
	}
	return value{key, valueArray, raw}
}

func i32s(key string, list []int) value {
	raw := count(number(nil, valueI32), len(list))
	for _, n := range list {
		raw = number(raw, uint32(n))
	}
	return value{key, valueArray, raw}
}

func number(b []byte, n uint32) []byte { return binary.LittleEndian.AppendUint32(b, n) }
func count(b []byte, n int) []byte     { return binary.LittleEndian.AppendUint64(b, uint64(n)) }
func text(b []byte, s string) []byte   { return append(count(b, len(s)), s...) }

// tensor is a matrix of rows by columns, row after row; one row is a vector.
type tensor struct {
	name       string
	rows, cols int
	data       []float32
}

func (t tensor) size() int { return 4 * t.rows * t.cols }

func padded(n int) int { return (n + alignment - 1) / alignment * alignment }

// write puts metadata and tensors into a file.
func write(w io.Writer, values []value, tensors []tensor) error {
	head := count(count(number([]byte("GGUF"), formatVersion), len(tensors)), len(values))
	for _, v := range values {
		head = append(number(text(head, v.key), v.kind), v.raw...)
	}
	at := 0
	for _, t := range tensors {
		head = text(head, t.name)
		if t.rows == 1 {
			head = count(number(head, 1), t.cols)
		} else {
			head = count(count(number(head, 2), t.cols), t.rows)
		}
		head = count(number(head, tensorF32), at)
		at += padded(t.size())
	}
	head = append(head, make([]byte, padded(len(head))-len(head))...)
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, t := range tensors {
		raw := make([]byte, 0, padded(t.size()))
		for _, f := range t.data {
			raw = number(raw, math.Float32bits(f))
		}
		if _, err := w.Write(raw[:cap(raw)]); err != nil {
			return err
		}
	}
	return nil
}
