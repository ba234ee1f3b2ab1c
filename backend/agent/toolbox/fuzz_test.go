package toolbox

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"testing"
	"testing/iotest"
)

// FuzzAnyOutputIsCutIntoMessages: whatever a server prints, what is handed over are messages, the same however the bytes
// arrive, and the next whole message is always found.
func FuzzAnyOutputIsCutIntoMessages(f *testing.F) {
	const next = `{"jsonrpc":"2.0","id":7,"result":{}}`
	for _, seed := range []string{
		"Server started\n" + next, "\xEF\xBB\xBF" + next + "\r\n", "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1\n}\n", "[" + next + "," + next + "]",
		"{ not json\n", `{"a":"`, `{"jsonrpc":"}`, `{"jsonrpc":"2.0","x":"\ud800"}`, "[1]\n[]\n{}\n", "{\"jsonrpc\":2}\n{\"a\":[{\n\n}]}", "\x00\xff\xfe\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		read := func(src io.Reader) (messages []string, noise int) {
			cut := newFramer(src, func(m []byte) {
				if !isMessage(m) || !json.Valid(m) {
					t.Errorf("%q was taken for a message", m)
				}
				messages = append(messages, string(m))
			}, func(shown []byte, why string) {
				if why == "" || len(shown) > maxMessageBytes {
					t.Errorf("%d bytes of noise for the reason %q", len(shown), why)
				}
				noise++
			})
			cut.run()
			return messages, noise
		}
		messages, noise := read(bytes.NewReader(raw))
		again, noiseAgain := read(iotest.OneByteReader(bytes.NewReader(raw)))
		if !slices.Equal(messages, again) || noise != noiseAgain {
			t.Fatalf("%q read by bytes gives %q and %d, not %q and %d", raw, again, noiseAgain, messages, noise)
		}
		all, _ := read(bytes.NewReader(slices.Concat(raw, []byte("\n"+next+"\n"))))
		if len(all) == 0 || all[len(all)-1] != next {
			t.Fatalf("after %q the next message is lost: %q", raw, all)
		}
	})
}
