package store

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Values are stored as one byte that says how, then the bytes: as they are, or compressed with the dictionary below.
const (
	asIs       = 0
	compressed = 1
)

// minCompress is the size in bytes from which compressing is tried.
const minCompress = 48

// dictionaryID names the dictionary in a compressed value. Another dictionary needs another number, and this one kept.
const dictionaryID = 0x5a53

// dictionary is what short values look like: the envelope of events, facts and messages. Without one, values of a few
// hundred bytes hardly shrink.
const dictionary = `{"m":{"body_sha256":"","thread":"20260101-000000-","kind":"side","predecessor":,"tail_offset":,"announcements":[{"kind":"window","from":,"to":,"leaf":"0000000000000000000000000000000000000000000000000000000000000000"}]},"s":"sending","s":"done","p":"pending","p":"proved","v":{"verdict":"windowed","verdict":"first","causes":[{"kind":"first","planned":true,"detail":"no predecessor","detail":"same history, only the tail differs","part":null,"path":"","part_offset":-1,"body_offset":-1}],"planned":true,"part":{"kind":"message","index":},"path":"$.messages[].role","part_offset":9,"body_offset":,"history_lost":0},"r":[{"id":"A6","ok":true,"degraded":true,"request":"","detail":"derived summaries"}],"a":,"ms":,"n":1,"t":["zimoos.current","zimoos.act","zimoos.search"],"f":"tool_calls","f":"stop","u":{"prompt_tokens":,"completion_tokens":,"total_tokens":,"prompt_tokens_details":{"cached_tokens":}},"c":{"c":"token","r":,"t":},"k":"attached","k":"own","tu":1,"z":{"b":,"p":,"e":,"n":,"t":},"sl":{"":"narration"}},"verdict":"sealed","causes":[{"kind":"extended","planned":true,"detail":" messages appended","part":{"kind":"message","index":},"path":"$.messages[].content"},{"kind":"sealed","planned":true,"detail":"a pending record grew its Summary","part":{"kind":"message","index":},"path":"$.messages[].content","part_offset":,"body_offset":}]{"v":"sealed","d":{"v":"extended","d":{"t":"seal","u":"step"}{"t":"tasks"}{"t":"seal","u":"narration"}
\nSummary: {"t":"message","r":"user"}
{"role":"user","content":"Current state of ZimoOS, for this request only.\n\n<zimoos source=\"zimoos.currentFrame\" request_only=\"true\" frame_cursor=\"c\" updated_at=\"\" visible_content_count=\"\">\ntitle: \nframeCursor: c\nstatus: idle\nsummary: \nbreadcrumb: Desktop > \nupdatedAt: \ntokenBudget: of 4000 used, truncated=false\nvisibleContent: \n- [] note: \nactions: \n- open \nhandles: \nrecoveryActions: \nnotifications: \n</zimoos>\n\nTask stack, newest first: "}{"t":"message","r":"assistant","c":["call_","zs0000000"]}
{"role":"assistant","content":null,"content":"","reasoning_content":"","tool_calls":[{"id":"call_","type":"function","function":{"name":"zimoos__zimoos_x2e_act","arguments":"{\"frameCursor\":\"c\",\"cmd\":\"open \"}"}}]}{"t":"message","r":"tool","n":"zimoos.act","c":["call_"],"o":true,"p":true}
{"role":"tool","tool_call_id":"call_","content":"Action: zimoos.act {\"frameCursor\":\"c\",\"cmd\":\"open \"}\nOutcome: ok\nResult: \nFrame audit: frameCursor=c title=\"\" status=idle visible= actions= handles="}`

// codec compresses values and back. It is safe for concurrent use.
type codec struct {
	in  *zstd.Encoder
	out *zstd.Decoder
}

func newCodec() (*codec, error) {
	in, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(windowSize), zstd.WithEncoderDictRaw(dictionaryID, []byte(dictionary)))
	if err != nil {
		return nil, err
	}
	out, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxValue), zstd.WithDecoderDictRaw(dictionaryID, []byte(dictionary)))
	if err != nil {
		return nil, err
	}
	return &codec{in, out}, nil
}

const (
	// windowSize bounds the memory of the encoder; values are short.
	windowSize = 1 << 20
	// maxValue bounds what one value may grow to when it is read, in bytes: a file made to exhaust memory is refused.
	maxValue = 1 << 30
)

func (c *codec) pack(v []byte) []byte {
	if len(v) >= minCompress {
		if z := c.in.EncodeAll(v, []byte{compressed}); len(z) <= len(v) {
			return z
		}
	}
	return append([]byte{asIs}, v...)
}

// unpack gives a copy: nothing of it aliases the file's memory.
func (c *codec) unpack(v []byte) ([]byte, error) {
	switch {
	case len(v) == 0:
		return nil, fmt.Errorf("%w (an empty value)", ErrDamaged)
	case v[0] == asIs:
		return append([]byte(nil), v[1:]...), nil
	case v[0] != compressed:
		return nil, fmt.Errorf("%w (a value of unknown form)", ErrDamaged)
	}
	out, err := c.out.DecodeAll(v[1:], nil)
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", ErrDamaged, err)
	}
	return out, nil
}

func (c *codec) close() {
	_ = c.in.Close() // it writes nowhere
	c.out.Close()
}
