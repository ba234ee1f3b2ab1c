package conversation

import (
	"strings"

	"zimoscope/backend/requestview/wire"
)

func isSystem(msg []byte) bool {
	role, _ := wire.String(wire.Get(msg, "role"))
	return role == "system" || role == "developer"
}

// generated says that a model wrote the message: an assistant's, or one of the items that the Responses shape has in
// its place.
func generated(msg []byte) bool {
	if role, _ := wire.String(wire.Get(msg, "role")); role != "" {
		return role == "assistant"
	}
	kind, _ := wire.String(wire.Get(msg, "type"))
	return kind == "reasoning" || strings.HasSuffix(kind, "_call")
}
