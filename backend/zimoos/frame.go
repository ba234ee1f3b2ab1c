package zimoos

import (
	"errors"
	"fmt"

	"zimoscope/backend/requestview/wire"
)

// Protocol is the value of the protocol member by which a frame is known, whatever tool it came from.
const Protocol = "zimoos/os-frame"

// Frame is one OSFrame. Text members are decoded; an absent one is "". Numbers keep their digits.
type Frame struct {
	Raw          []byte // the JSON object as received
	Version      string
	FrameID      string
	Cursor       string
	OSInstance   string
	Agent        string
	App          string // currentAppInstanceId
	Status       string
	Title        string
	Summary      string
	UpdatedAt    string
	Breadcrumb   []Crumb
	Visible      []Item
	Actions      []Action // shortcuts
	Handles      []Handle
	Recovery     []Action
	Notices      []Notice
	Budget       Budget
	UnknownNames []string // members this program does not know, kept in Raw for display
}

// Crumb is one step of the breadcrumb.
type Crumb struct{ Label, App string }

// Item is one visible item.
type Item struct{ ID, Kind, Title, Content, Priority string }

// Action is one command that the screen offers.
type Action struct {
	ID, Cmd, Label, Effect, Risk string
	Confirm                      bool
}

// Handle names something that can be read in full by another call.
type Handle struct{ ID, Label, Effect, Tokens string }

// Notice is one notification.
type Notice struct{ ID, App, AppID, Summary, Priority, Status string }

// Budget is the frame's own token budget; Max and Used are the digits as sent.
type Budget struct {
	Max, Used string
	Truncated bool
	Present   bool
}

// ErrMalformed is the reason why an object that claims the protocol is not a frame. It never names the payload.
var ErrMalformed = errors.New("malformed ZimoOS frame")

// parseFrame reads one JSON object. claims says that it names the protocol; ok that it is a whole frame.
func parseFrame(raw []byte) (f *Frame, claims bool, ok bool) {
	f, claims, err := ParseFrame(raw)
	return f, claims, err == nil && claims
}

// ParseFrame reads one JSON object. claims says that its protocol member names ZimoOS frames; err is ErrMalformed
// with the missing member when it does but is no frame.
func ParseFrame(raw []byte) (f *Frame, claims bool, err error) {
	members := map[string][]byte{}
	var unknown []string
	if e := wire.Members(raw, func(m wire.Member) error {
		if _, twice := members[m.Name]; !twice {
			members[m.Name] = raw[m.Start:m.End]
		}
		if !knownMembers[m.Name] {
			unknown = append(unknown, m.Name)
		}
		return nil
	}); e != nil {
		return nil, false, nil
	}
	if p, isText := wire.String(members["protocol"]); !isText || p != Protocol {
		return nil, false, nil
	}
	for _, name := range []string{"version", "frameCursor"} {
		if s, isText := wire.String(members[name]); !isText || s == "" {
			return nil, true, fmt.Errorf("%w: %s is missing or empty", ErrMalformed, name)
		}
	}
	for _, name := range []string{"visibleContent", "shortcuts", "handles"} {
		if v := members[name]; len(v) == 0 || v[0] != '[' {
			return nil, true, fmt.Errorf("%w: %s is not an array", ErrMalformed, name)
		}
	}
	f = build(members)
	f.Raw, f.UnknownNames = raw, unknown
	return f, true, nil
}

var knownMembers = func() map[string]bool {
	known := map[string]bool{}
	for _, n := range []string{"protocol", "version", "frameId", "frameCursor", "osInstanceId", "agentId",
		"currentAppInstanceId", "status", "title", "summary", "breadcrumb", "visibleContent", "shortcuts",
		"handles", "recoveryActions", "notifications", "tokenBudget", "updatedAt"} {
		known[n] = true
	}
	return known
}()

func build(m map[string][]byte) *Frame {
	f := &Frame{
		Version: text(m["version"]), FrameID: text(m["frameId"]), Cursor: text(m["frameCursor"]),
		OSInstance: text(m["osInstanceId"]), Agent: text(m["agentId"]), App: text(m["currentAppInstanceId"]),
		Status: text(m["status"]), Title: text(m["title"]), Summary: text(m["summary"]), UpdatedAt: text(m["updatedAt"]),
		Actions: actions(m["shortcuts"]), Recovery: actions(m["recoveryActions"]),
	}
	each(m["breadcrumb"], func(o fields) { f.Breadcrumb = append(f.Breadcrumb, Crumb{o.text("label"), o.text("appInstanceId")}) })
	each(m["visibleContent"], func(o fields) {
		f.Visible = append(f.Visible, Item{o.text("itemId"), o.text("kind"), o.text("title"), o.text("content"), o.text("priority")})
	})
	each(m["handles"], func(o fields) {
		f.Handles = append(f.Handles, Handle{o.text("id"), o.text("label"), o.text("effectPreview"), o.text("tokenEstimate")})
	})
	each(m["notifications"], func(o fields) {
		f.Notices = append(f.Notices, Notice{o.text("id"), o.text("appInstanceId"), o.text("appId"), o.text("summary"), o.text("priority"), o.text("status")})
	})
	if b := read(m["tokenBudget"]); b != nil {
		f.Budget = Budget{b.text("max"), b.text("used"), b.text("truncated") == "true", true}
	}
	return f
}

func actions(raw []byte) (list []Action) {
	each(raw, func(o fields) {
		list = append(list, Action{o.text("id"), o.text("cmd"), o.text("label"), o.text("effectPreview"), o.text("riskLevel"), o.text("requiresConfirmation") == "true"})
	})
	return list
}

type fields map[string][]byte

func (o fields) text(name string) string { return text(o[name]) }

func read(object []byte) fields {
	if len(object) == 0 || object[0] != '{' {
		return nil
	}
	o := fields{}
	_ = wire.Members(object, func(m wire.Member) error {
		if _, twice := o[m.Name]; !twice {
			o[m.Name] = object[m.Start:m.End]
		}
		return nil
	})
	return o
}

// each visits the elements of an array. An element that is no object stands as an item of its own text, so that
// counts stay true.
func each(array []byte, visit func(fields)) {
	if len(array) == 0 || array[0] != '[' {
		return
	}
	_ = wire.Elements(array, func(start, end int) error {
		el := array[start:end]
		if o := read(el); o != nil {
			visit(o)
		} else {
			visit(fields{"title": el, "label": el, "summary": el})
		}
		return nil
	})
}

// text decodes a string, gives numbers and booleans by their digits, and objects and arrays by their size alone:
// the model gets no JSON dumps.
func text(raw []byte) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if s, ok := wire.String(raw); ok {
		return s
	}
	if raw[0] == '{' || raw[0] == '[' {
		return fmt.Sprintf("(structured value, %d bytes)", len(raw))
	}
	return string(raw)
}
