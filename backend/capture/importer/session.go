package importer

import (
	"bytes"
	"os"
	"strings"

	"zimoscope/backend/capture/exchange"
	"zimoscope/backend/requestview/wire"
)

// maxRebuilt bounds the bytes of requests put together from one session file: each holds all messages before it.
const maxRebuilt = 256 << 20

// session gathers the messages of an agent's session file. Each answer in it is taken for a request with everything
// that stood before it.
type session struct {
	*reading
	joined   []byte // the messages so far, with commas between them
	messages int
	answered bool
	rebuilt  int
	model    []byte

	spansHeld []*span // of the resource that is being read
	spanBytes int
}

const sessionNote = "put together from a session file: tools, system text, parameters and what was sent for one request only are not told, so the bytes were others"

func (s *session) message(line []byte) error {
	if role := str(line, "role"); role == "assistant" && s.messages > 0 {
		if err := s.request(); err != nil {
			return err
		}
		s.answered = true
	} else {
		s.answered = false
	}
	if s.messages > 0 {
		s.joined = append(s.joined, ',')
	}
	s.joined = append(s.joined, line...)
	s.messages++
	return nil
}

func (s *session) request() error {
	if s.rebuilt += len(s.joined); s.rebuilt > maxRebuilt {
		s.note("%s is long: its later steps were left out", s.file)
		return nil
	}
	if s.model == nil {
		s.model = s.modelOf()
	}
	body := append([]byte(`{"model":`), s.model...)
	body = append(append(append(body, `,"messages":[`...), s.joined...), `]}`...)
	return s.take(exchange.Exchange{Source: source(s.file, lineSession), Request: body, Dialect: exchange.Chat, Notes: []string{sessionNote}, Conversation: s.file})
}

// modelOf reads the model from the file beside a session, where there is one.
func (s *session) modelOf() []byte {
	raw, err := os.ReadFile(strings.TrimSuffix(s.path, ".jsonl") + ".meta.json")
	if err == nil {
		if m := wire.Get(raw, "model"); m != nil {
			return bytes.Clone(m)
		}
	}
	return []byte("null")
}

// close takes the last question, which nothing answered.
func (s *session) close() error {
	if s.messages == 0 || s.answered {
		return nil
	}
	return s.request()
}
