package toolbox

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestFramingTellsMessagesFromNoise(t *testing.T) {
	const m = `{"jsonrpc":"2.0","id":1,"result":{}}`
	pretty := "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {\"a\": \"}{\\\"\"}\n}"
	for _, tc := range []struct{ name, in, messages, noise string }{
		{"one a line", m + "\n" + m + "\r\n", m + "|" + m, ""},
		{"last without line end", m, m, ""},
		{"byte order mark", "\xEF\xBB\xBF" + m + "\n", m, ""},
		{"pretty", pretty + "\n" + m + "\n", pretty + "|" + m, ""},
		{"pretty with blank lines and CRLF", strings.ReplaceAll(pretty, "\n", "\r\n\r\n") + "\n", strings.ReplaceAll(pretty, "\n", "\r\n\r\n"), ""},
		{"noise that opens a brace", "{ starting\n" + m + "\n", m, "{ starting"},
		{"noise that opens and closes", "{ starting }\n" + m + "\n", m, "{ starting }"},
		{"noise with a bracket", "[db] connected\n" + m + "\n", m, "[db] connected"},
		{"JSON that is no message", "{\"level\":1}\n[1]\n3\n", "", "{\"level\":1}|[1]|3"},
		{"batch", "[" + m + "," + m + "]\n", m + "|" + m, ""},
		{"cut at the end", m + "\n{\"jsonrpc\":\"2.0\",\n", m, "{\"jsonrpc\":\"2.0\","},
		{"blank", "\n\n \n", "", ""},
	} {
		for name, wrap := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader} {
			var messages, noise []string
			newFramer(wrap(strings.NewReader(tc.in)), func(b []byte) { messages = append(messages, string(b)) },
				func(b []byte, _ string) { noise = append(noise, string(b)) }).run()
			if got := strings.Join(messages, "|"); got != tc.messages {
				t.Errorf("%s, %s: messages %q", tc.name, name, got)
			}
			if got := strings.Join(noise, "|"); got != tc.noise {
				t.Errorf("%s, %s: noise %q", tc.name, name, got)
			}
		}
	}
}

func TestALineOverTheLimitIsDroppedAndTheNextOneRead(t *testing.T) {
	const m = `{"jsonrpc":"2.0","id":1,"result":{}}`
	long := `{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 3*maxStderrLine) + `"}`
	var messages, noise []string
	f := newFramer(strings.NewReader(long+"\n"+m+"\n"), func(b []byte) { messages = append(messages, string(b)) },
		func(_ []byte, why string) { noise = append(noise, why) })
	f.limit = 2 * maxStderrLine
	f.run()
	if strings.Join(messages, "|") != m || len(noise) != 1 {
		t.Errorf("%q %q", messages, noise)
	}
}
