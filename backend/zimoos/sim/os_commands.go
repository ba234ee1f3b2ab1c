package sim

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	// maxGrowItems bounds `grow`, in items: a frame of some 20 MB.
	maxGrowItems = 100_000
	// maxGrowBytes bounds `grow-bytes`, in bytes of visible content.
	maxGrowBytes = 64 << 20
	// maxTextBytes bounds what one command may write into a note or a mail.
	maxTextBytes = 16 << 10
)

// dispatch runs one command line: a verb, what it is about, and for some verbs
// a text.
func (o *virtualOS) dispatch(cmd string) error {
	verb, rest, _ := strings.Cut(strings.TrimSpace(cmd), " ")
	rest = strings.TrimSpace(rest)
	if o.dialog != nil {
		return o.answerDialog(verb)
	}
	switch verb {
	case "home":
		o.goTo(screen{app: "home"})
		return nil
	case "back":
		return o.goBack()
	case "open", "expand":
		return o.open(rest)
	case "append", "rename", "pin", "unpin", "delete":
		return o.changeNote(verb, rest)
	case "mark-read", "mark-unread", "archive", "reply":
		return o.changeMail(verb, rest)
	case "toggle":
		return o.toggle(rest)
	case "dismiss":
		return o.dismiss(rest)
	case "grow", "grow-bytes":
		return o.grow(verb, rest)
	case "confirm", "cancel":
		return fmt.Errorf("there is no open question to %s", verb)
	}
	return fmt.Errorf("unknown command %q; use one of the frame's shortcuts as it stands", cmd)
}

func (o *virtualOS) answerDialog(verb string) error {
	switch verb {
	case "confirm":
		run := o.dialog.run
		o.dialog = nil
		o.effect = run(o)
	case "cancel":
		o.dialog = nil
		o.effect = "Cancelled; nothing was changed."
	default:
		return fmt.Errorf("a question is open (%s): only confirm or cancel can follow", o.dialog.question)
	}
	return nil
}

// open follows a reference such as app:notes, note:groceries or setting:wifi.
func (o *virtualOS) open(ref string) error {
	kind, id, ok := strings.Cut(ref, ":")
	if !ok || id == "" {
		return fmt.Errorf("open what? %q is no reference such as app:notes or note:groceries", ref)
	}
	switch kind {
	case "app":
		if !isApp(id) {
			return fmt.Errorf("there is no app %q", ref)
		}
		o.goTo(screen{app: id, view: "list"})
	case "note":
		if o.world.note(id) == nil {
			return fmt.Errorf("there is no note %q", ref)
		}
		o.goTo(screen{app: "notes", view: "detail", id: id})
	case "mail":
		m := o.world.mail(id)
		if m == nil {
			return fmt.Errorf("there is no mail %q", ref)
		}
		m.read = true
		o.goTo(screen{app: "mail", view: "detail", id: id})
	case "file":
		return o.openFile(ref, id)
	case "setting":
		if o.world.setting(id) == nil {
			return fmt.Errorf("there is no setting %q", ref)
		}
		o.goTo(screen{app: "settings", view: "list"})
	default:
		return fmt.Errorf("nothing is called %q", ref)
	}
	return nil
}

func (o *virtualOS) openFile(ref, path string) error {
	f := o.world.file(path)
	if f == nil {
		return fmt.Errorf("there is no file or folder %q", ref)
	}
	if f.folder {
		o.goTo(screen{app: "files", view: "list", id: path})
	} else {
		o.goTo(screen{app: "files", view: "detail", id: path})
	}
	return nil
}

func (o *virtualOS) toggle(ref string) error {
	s := o.world.setting(strings.TrimPrefix(ref, "setting:"))
	if s == nil {
		return fmt.Errorf("there is no setting %q", ref)
	}
	s.on = !s.on
	o.effect = fmt.Sprintf("%s is now %s.", s.title, onOff(s.on))
	return nil
}

func (o *virtualOS) dismiss(ref string) error {
	id := strings.TrimPrefix(ref, "notification:")
	for i := range o.world.notices {
		if n := &o.world.notices[i]; n.ID == id && n.Status == noticeUnread {
			n.Status = noticeDismissed
			o.effect = "Dismissed: " + n.Summary
			return nil
		}
	}
	return fmt.Errorf("there is no open notification %q", ref)
}

// grow makes a frame of a chosen size, in items or in bytes of content.
func (o *virtualOS) grow(verb, arg string) error {
	limit := maxGrowItems
	if verb == "grow-bytes" {
		limit = maxGrowBytes
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 0 || n > limit {
		return fmt.Errorf("%s wants a whole number from 0 to %d, not %q", verb, limit, arg)
	}
	o.goTo(screen{app: "workbench", view: verb, n: n})
	return nil
}

// splitText parts "note:groceries Oat milk" into the id and the text.
func splitText(prefix, rest string) (id, text string) {
	ref, text, _ := strings.Cut(rest, " ")
	return strings.TrimPrefix(ref, prefix), strings.TrimSpace(text)
}

func checkText(verb, text string) error {
	if text == "" || isBlank(text) {
		return fmt.Errorf("%s needs a text after the name; fill in the part in <…>", verb)
	}
	if len(text) > maxTextBytes {
		return fmt.Errorf("%s takes at most %d bytes of text, this has %d", verb, maxTextBytes, len(text))
	}
	return nil
}

// isBlank reports whether text is a shortcut's <…> that nobody filled in.
func isBlank(text string) bool {
	return strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") && !strings.Contains(text, " ")
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
