package toolbox

import (
	"bytes"
	"context"
	"testing"
)

// whole gives the bytes of all tools, each with its server, in their order.
func whole(b *Box) string {
	var out bytes.Buffer
	for _, tool := range b.Tools() {
		out.WriteString(tool.Server + " " + string(tool.Raw) + "\n")
	}
	return out.String()
}

// A server that goes and comes back finds its tools where they were, before those of the servers behind it.
func TestToolsKeepTheirPlacesWhileTheirServerIsGoneAndBack(t *testing.T) {
	b, reports := box(t, nil, child("stderr"), child("plain"), child("noise")) // the first one is the slowest to start
	for _, r := range reports {
		if !r.OK {
			t.Fatalf("%+v", r)
		}
	}
	before := whole(b)
	if n := len(b.Tools()); n != 6 || b.Tools()[0].Server != "stderr" || b.Tools()[2].Server != "plain" || b.Tools()[4].Server != "noise" {
		t.Fatalf("the servers do not stand in the order of the configuration:\n%s", before)
	}
	for _, server := range []string{"stderr", "plain"} {
		if got := do(b, server, "crash"); got.State != StateTransport {
			t.Fatalf("%+v", got)
		}
		if got := whole(b); got != before {
			t.Errorf("while %s is gone the list is\n%s\nit was\n%s", server, got, before)
		}
		if got := do(b, server, "x"); got.State != StateNotSent || !got.IsError {
			t.Errorf("a call to a server that is gone: %+v", got)
		}
		if got := do(b, "noise", "x"); got.State != StateOK {
			t.Errorf("another server while %s is gone: %+v", server, got)
		}
		if changed, _ := b.Refresh(context.Background()); changed {
			t.Errorf("%s came back, and that counts as a change of the tools", server)
		}
		if got := whole(b); got != before {
			t.Errorf("after %s came back the list is\n%s\nit was\n%s", server, got, before)
		}
	}
	again, _ := box(t, nil, child("stderr"), child("plain"), child("noise"))
	if got := whole(again); got != before {
		t.Errorf("after a new start the list is\n%s\nit was\n%s", got, before)
	}
}
