package sim

import (
	"fmt"
	"strings"
)

const (
	riskSafe   = "safe"
	riskLow    = "low"
	riskMedium = "medium"
	riskHigh   = "high"
)

// changeNote runs the verbs that write notes. Deleting asks first.
func (o *virtualOS) changeNote(verb, rest string) error {
	id, text := splitText("note:", rest)
	n := o.world.note(id)
	if n == nil {
		return fmt.Errorf("there is no note %q", rest)
	}
	switch verb {
	case "append":
		if err := checkText(verb, text); err != nil {
			return err
		}
		n.lines = append(n.lines, text)
		o.effect = fmt.Sprintf("Added a line to %s, which has %d lines now.", n.title, len(n.lines))
	case "rename":
		if err := checkText(verb, text); err != nil {
			return err
		}
		o.effect = fmt.Sprintf("Renamed %s to %s.", n.title, text)
		n.title = text
	case "pin", "unpin":
		return o.pinNote(n, verb == "pin")
	case "delete":
		o.askDelete(n)
	}
	return nil
}

func (o *virtualOS) pinNote(n *note, pin bool) error {
	if n.pinned == pin {
		return fmt.Errorf("%s is already %s", n.title, pinWord(pin))
	}
	n.pinned = pin
	o.effect = fmt.Sprintf("%s is %s now.", n.title, pinWord(pin))
	return nil
}

func pinWord(pinned bool) string {
	if pinned {
		return "pinned"
	}
	return "not pinned"
}

func (o *virtualOS) askDelete(n *note) {
	id, title := n.id, n.title
	o.dialog = &pending{
		question: fmt.Sprintf("Delete the note %s?", title),
		effect:   fmt.Sprintf("Deletes %s for good, with its %d lines", title, len(n.lines)),
		risk:     riskHigh,
		run: func(o *virtualOS) string {
			o.world.removeNote(id)
			o.forget("notes", id)
			o.here = screen{app: "notes", view: "list"}
			return fmt.Sprintf("Deleted %s.", title)
		},
	}
}

// changeMail runs the verbs that write mail. Sending a reply asks first.
func (o *virtualOS) changeMail(verb, rest string) error {
	id, text := splitText("mail:", rest)
	m := o.world.mail(id)
	if m == nil {
		return fmt.Errorf("there is no mail %q", rest)
	}
	switch verb {
	case "mark-read", "mark-unread":
		m.read = verb == "mark-read"
		o.effect = fmt.Sprintf("%s is marked as %s.", m.subject, strings.TrimPrefix(verb, "mark-"))
	case "archive":
		m.archived = true
		o.here = screen{app: "mail", view: "list"}
		o.effect = fmt.Sprintf("Archived %s.", m.subject)
	case "reply":
		if err := checkText(verb, text); err != nil {
			return err
		}
		o.askReply(m, text)
	}
	return nil
}

func (o *virtualOS) askReply(m *mail, text string) {
	id, from := m.id, m.from
	o.dialog = &pending{
		question: fmt.Sprintf("Send this reply to %s: %s", from, text),
		effect:   fmt.Sprintf("Sends one mail to %s", from),
		risk:     riskMedium,
		run: func(o *virtualOS) string {
			m := o.world.mail(id)
			m.replies = append(m.replies, text)
			return fmt.Sprintf("Sent a reply to %s.", from)
		},
	}
}
