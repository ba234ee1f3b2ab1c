package service

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"zimoscope/app/api"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/transcript"
)

// page gives one piece of a long text, cut between characters.
func page(raw []byte, offset int) api.TextPage {
	offset = max(0, min(offset, len(raw)))
	for offset > 0 && offset < len(raw) && !utf8.RuneStart(raw[offset]) {
		offset--
	}
	end := min(len(raw), offset+api.PageSize)
	for end < len(raw) && end > offset && !utf8.RuneStart(raw[end]) {
		end--
	}
	if end == offset {
		end = min(len(raw), offset+api.PageSize) // bytes that are no text at all
	}
	sum := sha256.Sum256(raw)
	piece := raw[offset:end]
	return api.TextPage{Text: strings.ToValidUTF8(string(piece), "\uFFFD"), Offset: offset, Total: len(raw), SHA256: fmt.Sprintf("%x", sum), Binary: !utf8.Valid(piece)}
}

// Body implements api.Service: the exact bytes, page by page.
func (s *Service) Body(ref api.RequestRef, offset int) (api.TextPage, error) {
	raw, err := s.raw(ref)
	if err != nil {
		return api.TextPage{}, err
	}
	return page(raw, offset), nil
}

// raw gives the body as it is stored, also of what can't be read as a request.
func (s *Service) raw(ref api.RequestRef) ([]byte, error) {
	if b, err := s.current(ref.Session); err == nil {
		rec, err := b.record(ref.N)
		if err != nil {
			return nil, err
		}
		if rec.Meta.Kind == record.KindOther {
			return b.sess.Body(ref.N)
		}
	}
	r, _, err := s.find(ref)
	if err != nil {
		return nil, err
	}
	return r.Body.Raw, nil
}

// Part implements api.Service: the decoded text of a message, the raw JSON of anything else.
func (s *Service) Part(ref api.RequestRef, kind string, index, offset int) (api.TextPage, error) {
	r, rec, err := s.find(ref)
	if err != nil {
		return api.TextPage{}, err
	}
	k := wire.Kind(kind)
	if k != wire.KindModel && (index < 0 || index >= r.Body.Region(k).Len()) {
		return api.TextPage{}, fmt.Errorf("part %s %d: %w", kind, index, api.ErrNotFound)
	}
	raw := r.Body.Bytes(k, index)
	switch {
	case k == wire.KindSystem:
		raw = []byte(systemText(raw))
	case k == wire.KindMessage && rec.Foreign != nil:
		raw = []byte(messageText(raw))
	case k == wire.KindMessage:
		raw = []byte(transcript.TextOf(raw))
	}
	return page(raw, offset), nil
}

// Response implements api.Service: the raw response as received.
func (s *Service) Response(ref api.RequestRef, offset int) (api.TextPage, error) {
	b, err := s.current(ref.Session)
	if err != nil {
		return api.TextPage{}, err
	}
	raw, err := b.sess.Response(ref.N)
	if err != nil {
		return api.TextPage{}, err
	}
	return page(raw, offset), nil
}

// completionOf reads how many tokens the answer had; 0 when it was not reported.
func completionOf(usage json.RawMessage) int {
	var u struct {
		CompletionTokens int `json:"completion_tokens"`
		OutputTokens     int `json:"output_tokens"`
	}
	if json.Unmarshal(usage, &u) != nil {
		return 0
	}
	return max(u.CompletionTokens, u.OutputTokens)
}
