package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/record"
	"zimoscope/backend/requestview"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
	"zimoscope/backend/zimoos"
)

const (
	// DefaultMaxSteps bounds the requests of one turn; a model that needs more is looping.
	DefaultMaxSteps = 60
	// warnBefore is how many steps before the limit the loop warning stands in the tail.
	warnBefore = 10
)

// Session drives one conversation. Make it with New or Resume, and Close it.
type Session struct {
	buffers buffers
	o       Options
	t       *transcript.Transcript
	names   *zimoos.Names
	tasks   taskStack
	checker *verdict.Checker

	drive sync.Mutex // held while a turn runs

	mu      sync.Mutex // guards what follows: by-hand calls and readers come from other goroutines
	slot    zimoos.Slot
	callSeq uint64

	prev      *Record                // the last main request that was sent
	announce  []verdict.Announcement // for the next main request
	seals     map[int]string
	fresh     bool             // the first turn has begun: from now on servers are asked for changes
	resumed   bool             // the slot is to be read freshly before the first request
	earlier   *verdict.Request // the last request of an earlier run: caches know it, this run's predictor does not
	sideFails int              // summary steps that failed in a row, in this turn
	step      int
	untold    []Event // what is told once it is stored
	read      int     // messages of the transcript that A4 has read
	dirty     string  // what it found, "" when nothing
}

// New starts a session with an empty conversation and stores its header.
func New(o Options) (*Session, error) {
	s := newSession(o)
	h, err := s.header()
	if err != nil {
		return nil, err
	}
	if s.t, err = transcript.New(h); err != nil {
		return nil, err
	}
	return s, s.commit(store.Batch{Events: s.t.Drain()})
}

// Resume opens a stored session. Nothing is sent; what was open when the program ended is closed in the conversation,
// and stored.
func Resume(o Options) (*Session, error) {
	events, err := o.Journal.Events()
	if err != nil {
		return nil, err
	}
	if len(events) == 0 && o.Journal.Requests() == 0 {
		return New(o) // the program ended before the conversation had its header
	}
	s := newSession(o)
	if err := s.restoreLast(); err != nil {
		return nil, err
	}
	var plan planned
	if s.t, err = transcript.ReplayWatched(events, plan.watch(s.prev)); err != nil {
		return nil, fmt.Errorf("this session's transcript can't be read: %w", err)
	}
	s.announce = plan.announcements(s.t)
	if s.prev != nil {
		s.earlier = s.judged(s.prev)
		s.prev.Redlines = s.checker.Add(s.earlier).Redlines
	}
	s.offer(s.t.Header())
	s.resumed = true
	if err := json.Unmarshal(orEmpty(s.t.Tasks()), &s.tasks); err != nil {
		return nil, fmt.Errorf("this session's task stack can't be read: %w", err)
	}
	if err := s.recover(); err != nil {
		return nil, err
	}
	if s.t.HasOperations() {
		s.slot.Remember()
	}
	return s, nil
}

// restoreLast takes the last main request that was sent back from the store, so that the next one is compared with it.
func (s *Session) restoreLast() error {
	facts, err := s.o.Journal.AllFacts()
	if err != nil {
		return err
	}
	for i := len(facts) - 1; i >= 0; i-- {
		rec, err := record.Of(facts[i])
		if err != nil {
			return fmt.Errorf("what is known of request %d can't be read: %w", facts[i].N, err)
		}
		if rec.Meta.Kind == verdict.KindSide {
			continue
		}
		raw, err := s.o.Journal.Body(rec.N)
		if err != nil {
			return err
		}
		body, err := wire.Scan(raw)
		if err != nil {
			return fmt.Errorf("request %d in the store is damaged: %w", rec.N, err)
		}
		rec.View = &requestview.View{Body: body, TailOffset: rec.Meta.TailOffset, Carrier: rec.Carrier}
		s.prev = rec
		return nil
	}
	return nil
}

func orEmpty(b []byte) []byte {
	if len(b) == 0 {
		return []byte("{}")
	}
	return b
}

func newSession(o Options) *Session {
	if o.MaxSteps <= 0 {
		o.MaxSteps = DefaultMaxSteps
	}
	if o.System == "" {
		o.System = DefaultSystem
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Observer == nil {
		o.Observer = func(Event) {}
	}
	if o.Stepper == nil {
		o.Stepper = NewStepper()
	}
	s := &Session{o: o, checker: verdict.NewChecker(), seals: map[int]string{}}
	s.checker.Transcript = s.transcriptClean
	return s
}

// transcriptClean answers redline A4 from the stored conversation itself. Each message is read once.
func (s *Session) transcriptClean(*verdict.Request) (clean bool, detail string) {
	s.read, s.dirty = s.t.FindState(s.read, s.dirty)
	return s.dirty == "", s.dirty
}

// header is the stable prefix, as configuration and servers have it now.
func (s *Session) header() (transcript.Header, error) {
	p := s.o.Profile
	h := transcript.Header{Model: s.o.ModelName, System: s.o.Secrets.Text(s.o.System), Params: []wire.Param{{Name: "stream", Raw: []byte("true")}},
		Rules: transcript.Rules{Placement: transcript.Placement(p.Placement), EmptyContent: transcript.EmptyContent(p.EmptyContent),
			KeepReasoning: p.KeepReasoning, KeepExtras: p.KeepCallExtras, ImageNotes: p.ToolImages == provider.ImagesNote, ContextTokens: s.o.ContextTokens, CacheMark: transcript.CacheMark(p.CacheMark)}}
	if p.StreamUsage {
		h.Params = append(h.Params, wire.Param{Name: "stream_options", Raw: []byte(`{"include_usage":true}`)})
	}
	for _, x := range s.o.Params {
		if x.Name == "stream" || x.Name == "model" || x.Name == "messages" || x.Name == "tools" {
			return h, fmt.Errorf("the parameter %q is set by the program; take it out of extraParams", x.Name)
		}
		h.Params = append(h.Params, wire.Param{Name: x.Name, Raw: x.Raw})
	}
	h.Tools = s.toolDefs(s.o.Tools.Tools())
	s.offer(h)
	return h, nil
}

// offer makes the name table of what a header offers.
func (s *Session) offer(h transcript.Header) {
	public := make([]zimoos.PublicName, len(h.Tools))
	for i, t := range h.Tools {
		public[i] = zimoos.PublicName{Server: t.Server, Tool: t.Name}
	}
	s.names = zimoos.NewNames(public)
}

func (s *Session) toolDefs(tools []toolbox.Tool) []transcript.ToolDef {
	public := builtinNames()
	for _, t := range tools {
		public = append(public, zimoos.PublicName{Server: t.Server, Tool: t.Name})
	}
	names := zimoos.NewNames(public)
	defs := builtinDefs(names)
	for _, t := range tools {
		fn, _ := names.Function(zimoos.PublicName{Server: t.Server, Tool: t.Name})
		defs = append(defs, transcript.ToolDef{Function: fn, Server: t.Server, Name: t.Name, Raw: toolJSON(fn, t.Description, t.InputSchema)})
	}
	return defs
}

// toolJSON offers a tool with its schema's own bytes.
func toolJSON(fn, description string, schema json.RawMessage) []byte {
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	clean, _ := zimoos.NeutraliseArguments(string(schema))
	b := wire.AppendQuoted([]byte(`{"type":"function","function":{"name":`), fn)
	if description != "" {
		b = wire.AppendQuoted(append(b, `,"description":`...), zimoos.Neutralise(zimoos.Valid(description)))
	}
	b = append(append(b, `,"parameters":`...), clean...)
	return append(b, "}}"...)
}

// Transcript gives the stored conversation; only between turns.
func (s *Session) Transcript() *transcript.Transcript { return s.t }

// Slot gives the current frame and where it came from.
func (s *Session) Slot() zimoos.Slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.slot
}

// Wait returns when no turn runs. Cancel the turn first.
func (s *Session) Wait() {
	s.drive.Lock()
	s.drive.Unlock() //nolint:staticcheck // taking it once is the wait
}

// commit stores a batch; a failure halts the session's turn. What waited for it is told then, and not before: who is
// told of a result finds it in the store, whenever the program ends.
func (s *Session) commit(b store.Batch) error {
	if err := s.o.Journal.Commit(b); err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	if len(b.Events) > 0 {
		waiting := s.untold
		s.untold = nil
		for _, e := range waiting {
			s.tell(e)
		}
	}
	return nil
}

// keep stores what the conversation has that is not stored yet.
func (s *Session) keep() error {
	if events := s.t.Drain(); len(events) > 0 {
		return s.commit(store.Batch{Events: events, Done: true})
	}
	return nil
}

func (s *Session) tell(e Event) { s.o.Observer(e) }

// recover closes what was open when the program ended: a stored reply whose step was not stored, or calls without
// results.
func (s *Session) recover() error {
	raw, err := s.o.Journal.Reply()
	if err != nil {
		return err
	}
	if len(raw) > 0 {
		var reply transcript.Reply
		if err := json.Unmarshal(raw, &reply); err != nil {
			return fmt.Errorf("the last response of this session can't be read: %w", err)
		}
		if _, pending := s.t.Pending(); pending {
			if err := s.sealFrom(reply.Text); err != nil {
				return err
			}
		}
		if _, err := s.t.AppendReply(reply); err != nil {
			return err
		}
	}
	for len(s.t.Open()) > 0 {
		if err := s.closeCall(s.t.Open()[0], transcript.Unknown, "The program ended while this ran; whether it took effect is not known."); err != nil {
			return err
		}
	}
	events := s.t.Drain()
	if len(events) == 0 {
		return nil
	}
	return s.commit(store.Batch{Events: events, Done: true})
}

// sealFrom seals the pending record from a stored response by narration, else by what code knows.
func (s *Session) sealFrom(text string) error {
	if line := narration(text, s.o.Profile.NarrationNeedsLine); line != "" {
		return s.seal(line, transcript.FromNarration)
	}
	return s.seal(s.derived(), transcript.FromCode)
}

// Prompt runs a turn: it appends what a person wrote and goes on until the model answers. It blocks until the turn
// ends; cancel ctx to stop it.
func (s *Session) Prompt(ctx context.Context, text string, images []transcript.Image) (answer string, err error) {
	if !s.drive.TryLock() {
		return "", ErrBusy
	}
	defer s.drive.Unlock()
	s.beginTurn(ctx)
	if err := s.sealLeftover(ctx); err != nil {
		return "", err
	}
	if err := s.refreshTools(ctx); err != nil {
		return "", err
	}
	if err := s.alternate(); err != nil {
		return "", err
	}
	if err := s.t.AppendUser(s.o.Secrets.Text(text), images); err != nil {
		return "", err
	}
	if err := s.keep(); err != nil {
		return "", err
	}
	s.tell(Event{Kind: EventTurn, Text: text})
	return s.turn(ctx)
}

// Asks says that text is the prompt of a turn that was interrupted: Retry goes on with it, Prompt would ask twice.
func (s *Session) Asks(text string) bool { return s.t.Asks(s.o.Secrets.Text(text)) }

// Interrupted says that the last turn began and has no answer: an error, a stop, an abandoned request or call, or the end
// of the program came before it. Retry goes on with it. To be asked between two turns.
func (s *Session) Interrupted() bool { return s.t.TurnOpen() && s.t.Turns() > 0 }

// Retry runs the interrupted turn on from where it stopped: the same prompt, nothing appended twice.
func (s *Session) Retry(ctx context.Context) (answer string, err error) {
	if !s.drive.TryLock() {
		return "", ErrBusy
	}
	defer s.drive.Unlock()
	if !s.Interrupted() {
		return "", ErrNothing
	}
	s.beginTurn(ctx)
	return s.turn(ctx)
}

func (s *Session) beginTurn(ctx context.Context) {
	s.step, s.sideFails = 0, 0
	if s.resumed {
		s.resumed = false
		s.freshFrame(ctx)
	}
}

// alternate keeps roles alternating for chat templates that refuse two user messages in a row, or a user message after
// a tool's: the placement in tool messages is theirs alone.
func (s *Session) alternate() error {
	if s.t.Header().Rules.Placement != transcript.InTool || !s.Interrupted() {
		return nil
	}
	_, err := s.t.AppendReply(transcript.Reply{Text: "(The turn was interrupted.)"})
	return err
}

// sealLeftover seals a record that an interrupted turn left pending, before anything else is appended.
func (s *Session) sealLeftover(ctx context.Context) error {
	if _, pending := s.t.Pending(); !pending {
		return nil
	}
	return s.sealByStep(ctx, s.build(), s.last())
}

// refreshTools picks up changed tool lists: only here, between two turns, as an announced change of the prefix.
func (s *Session) refreshTools(ctx context.Context) error {
	if !s.fresh { // the servers were started with the session, a moment ago
		s.fresh = true
		return nil
	}
	changed, changes := s.o.Tools.Refresh(ctx)
	for _, c := range changes {
		if c.Message != "" {
			s.tell(Event{Kind: EventNote, Text: c.Message})
		}
	}
	if !changed {
		return nil
	}
	h := s.t.Header()
	h.Tools = s.toolDefs(s.o.Tools.Tools())
	return s.Rehead(h)
}

// Rehead announces another stable prefix; between two turns only.
func (s *Session) Rehead(h transcript.Header) error {
	old := s.t.View()
	if err := s.t.Rehead(h); err != nil {
		return err
	}
	s.offer(h)
	s.announce = append(s.announce, headChanges(old, s.t.View())...)
	return nil
}

// freshFrame reads the screen once after a resume, so that the slot is filled from ZimoOS and never from old text.
func (s *Session) freshFrame(ctx context.Context) {
	for _, t := range s.o.Tools.Tools() {
		if t.Name == "zimoos.current" && s.slot.EverFilled() {
			if r := s.CallByHand(ctx, t.Server, t.Name, "{}"); r.State != toolbox.StateOK {
				s.tell(Event{Kind: EventNote, Text: "The screen could not be read after reopening this session: " + r.Message})
			}
			return
		}
	}
}

// Stop's error for a context that ended.
func stopError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w (%w)", ErrStopped, err)
	}
	return nil
}

func isStore(err error) bool { return errors.Is(err, ErrStore) }
