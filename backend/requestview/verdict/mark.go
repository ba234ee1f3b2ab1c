package verdict

import "zimoscope/backend/said"

// none marks the absence of an index.
const none = -1

// mark is what the redlines know after a message and all before it. The marks of a shared start are kept from one
// request to the next, so that no old message is looked at again.
type mark struct {
	f          *facts
	systems    int // system messages so far
	stray      int // first system message that is not at index 0
	state      int // first message with frame state
	derived    int // records with a derived Summary so far
	unsealed   int // first record that waited past its time
	open       int // first record that still waits in the current group
	badRecord  int // first operation that is no whole record
	badGroup   int // first place where calls and results don't pair
	group      int // assistant message whose results are due, or none
	got        int // results that came for it
	badName    int
	audit      int // last record whose frame became the current one
	operations int
	cursor     string
	problem    *said.Sentence // about badRecord, badGroup, badName: the first one's words
	groupWhy   *said.Sentence
	nameWhy    *said.Sentence
}

var fresh = mark{stray: none, state: none, unsealed: none, open: none, badRecord: none, badGroup: none, group: none, badName: none, audit: none}

// next takes one more message. callOf gives the call that a tool message at this place answers.
func (m mark) next(i int, f *facts, groupFacts *facts, foreign bool) mark {
	m.f = f
	if isSystem(f.role) {
		m.systems++
		if i != 0 {
			first(&m.stray, i)
		}
	}
	if f.state != nil {
		first(&m.state, i)
	}
	if f.name != nil && m.badName == none {
		m.badName, m.nameWhy = i, f.name
	}
	if f.role == "tool" {
		m.result(i, f, groupFacts, foreign)
		return m
	}
	if m.open != none {
		first(&m.unsealed, m.open)
		m.open = none
	}
	m.closeGroup(groupFacts)
	if len(f.calls) > 0 {
		m.group, m.got = i, 0
		if f.ids != nil {
			m.pairing(i, f.ids)
		}
	}
	return m
}

func first(at *int, i int) {
	if *at == none {
		*at = i
	}
}

func (m *mark) pairing(i int, why *said.Sentence) {
	if m.badGroup == none {
		m.badGroup, m.groupWhy = i, why
	}
}

// closeGroup ends the current group: all its results must have come.
func (m *mark) closeGroup(g *facts) {
	if m.group == none {
		return
	}
	if g != nil && m.got < len(g.calls) {
		m.pairing(m.group, say("a11-results", m.got, len(g.calls)))
	}
	m.group = none
}

func (m *mark) result(i int, f *facts, g *facts, foreign bool) {
	if m.group == none || g == nil || m.got >= len(g.calls) {
		m.pairing(i, say("a11-no-call"))
		return
	}
	c := g.calls[m.got]
	m.got++
	if c.id != f.callID {
		m.pairing(i, say("a11-order", f.callID, c.id))
	}
	r := f.rec
	if !r.isOperation(c.name) {
		return
	}
	m.operations++
	if foreign {
		m.foreignRecord(i, r)
		return
	}
	if r.broken != "" && m.badRecord == none {
		m.badRecord, m.problem = i, say("a6-line", r.broken)
	}
	if r.audits > 1 && m.badRecord == none {
		m.badRecord, m.problem = i, say("a6-audits")
	}
	if r.cursor != "" && r.outcome == outcomeOK { // only then the frame became the current one
		m.audit, m.cursor = i, r.cursor
	}
	switch r.seal {
	case pending:
		first(&m.open, i)
	case sealedDerived:
		m.derived++
	}
}

// foreignRecord takes any form that says Summary: other agents write their records in their own way.
func (m *mark) foreignRecord(i int, r *record) {
	switch {
	case !r.says && r.form: // in the form of a record, before its Summary came
		first(&m.open, i)
	case !r.says && m.badRecord == none:
		m.badRecord, m.problem = i, say("a6-no-summary")
	case r.waits:
		first(&m.open, i)
	}
}
