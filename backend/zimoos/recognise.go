package zimoos

import (
	"fmt"

	"zimoscope/backend/requestview/wire"
)

// wrapDepth bounds how deep a frame may stand inside other JSON objects: real servers use one or two levels.
const wrapDepth = 6

// Image is an image part of a tool result.
type Image struct {
	MIME string
	Data string // base64 as sent
}

// Recognition is what one tool result holds.
type Recognition struct {
	Frame     *Frame   // nil when there is none
	Malformed string   // why a payload that claims the protocol is no frame; "" otherwise
	Texts     []string // readable parts beside the frame, in order, without frame JSON
	Images    []Image
	IsError   bool
}

// Claims says that the result is, or claims to be, a frame.
func (r *Recognition) Claims() bool { return r.Frame != nil || r.Malformed != "" }

// Recognise reads the raw JSON of an MCP tool result {content, structuredContent, isError}. The protocol decides,
// not the tool's name. A frame that several parts carry is used once: structuredContent before texts.
func Recognise(result []byte) Recognition {
	var r Recognition
	r.IsError = string(wire.Get(result, "isError")) == "true"
	structured := wire.Get(result, "structuredContent")
	inStructured := r.search(structured, 0)
	content := wire.Get(result, "content")
	if len(content) > 0 && content[0] == '[' {
		_ = wire.Elements(content, func(start, end int) error {
			r.part(content[start:end])
			return nil
		})
	}
	if len(structured) > 0 && len(r.Texts) == 0 && structured[0] == '{' {
		r.structuredText(structured, inStructured)
	}
	return r
}

// structuredText keeps what structuredContent says when no text part says it.
func (r *Recognition) structuredText(structured []byte, holdsFrame bool) {
	if holdsFrame && claimsProtocol(structured) {
		return
	}
	if holdsFrame && r.Malformed != "" {
		return
	}
	r.Texts = append(r.Texts, string(neutraliseJSON(structured, 0)))
}

func (r *Recognition) part(p []byte) {
	kind, _ := wire.String(wire.Get(p, "type"))
	switch kind {
	case "text":
		s, _ := wire.String(wire.Get(p, "text"))
		r.text(s)
	case "resource":
		res := wire.Get(p, "resource")
		if s, ok := wire.String(wire.Get(res, "text")); ok {
			r.text(s)
			return
		}
		uri, _ := wire.String(wire.Get(res, "uri"))
		r.note(fmt.Sprintf("(resource %s, %d bytes, not text)", uri, len(res)))
	case "image":
		mime, _ := wire.String(wire.Get(p, "mimeType"))
		data, _ := wire.String(wire.Get(p, "data"))
		r.Images = append(r.Images, Image{MIME: mime, Data: data})
	case "resource_link":
		uri, _ := wire.String(wire.Get(p, "uri"))
		r.note("(link " + uri + ")")
	default:
		r.note(fmt.Sprintf("(part of type %q left out, %d bytes)", kind, len(p)))
	}
}

func (r *Recognition) note(s string) { r.Texts = append(r.Texts, s) }

func (r *Recognition) text(s string) {
	raw := []byte(s)
	start, end, err := wire.Skip(raw, 0)
	oneObject := err == nil && raw[start] == '{' && len(raw) == wsEnd(raw, end)
	if !oneObject || !r.search(raw[start:end], 0) {
		if s != "" {
			r.Texts = append(r.Texts, s)
		}
		return
	}
	object := raw[start:end]
	if claimsProtocol(object) {
		return // the part was the frame and nothing else
	}
	if r.Malformed == "" {
		r.Texts = append(r.Texts, string(neutraliseJSON(object, 0)))
	}
}

func wsEnd(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// search looks for a frame in an object and the objects inside it, and says whether it found one or a claim.
func (r *Recognition) search(object []byte, depth int) bool {
	if len(object) == 0 || object[0] != '{' || depth > wrapDepth {
		return false
	}
	f, claims, err := ParseFrame(object)
	if claims {
		if err != nil && r.Frame == nil {
			r.Malformed = err.Error()
		}
		if err == nil {
			r.keep(f)
		}
		return true
	}
	found := false
	_ = wire.Members(object, func(m wire.Member) error {
		found = r.search(object[m.Start:m.End], depth+1) || found
		return nil
	})
	return found
}

func (r *Recognition) keep(f *Frame) {
	if r.Frame == nil {
		r.Frame, r.Malformed = f, ""
	}
}
