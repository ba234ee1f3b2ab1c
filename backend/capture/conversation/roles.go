package conversation

import (
	"strings"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// author says who wrote a message.
type author byte

const (
	byOther author = iota // a tool, or nobody that is known
	bySystem
	byPerson
	byModel
)

// message is what the finder asks of a message.
type message struct {
	leaf wire.Hash // without cache marks
	by   author
}

// message reads a message once, whatever requests it stands in.
func (f *Finder) message(b *wire.Body, i int) message {
	leaf := b.Messages.Part(i).Leaf
	m, known := f.messages[leaf]
	if !known {
		m = message{verdict.TextLeaf(b, i), authorOf(b.Bytes(wire.KindMessage, i))}
		f.messages[leaf] = m
	}
	return m
}

// authorOf takes an assistant's messages for a model's, and the items that the Responses shape has in their place.
func authorOf(msg []byte) author {
	switch role, _ := wire.String(wire.Get(msg, "role")); role {
	case "system", "developer":
		return bySystem
	case "user":
		return byPerson
	case "assistant":
		return byModel
	case "":
		if kind, _ := wire.String(wire.Get(msg, "type")); kind == "reasoning" || strings.HasSuffix(kind, "_call") {
			return byModel
		}
	}
	return byOther
}
