package bridge_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
)

func TestArgumentsReachTheMethodInOrder(t *testing.T) {
	svc := &fake{}
	got, err := bridge.Call(context.Background(), svc, "Rename", []byte(`["s1","汤 <b>"]`))
	if err != nil || string(got) != "null" || svc.renamed != [2]string{"s1", "汤 <b>"} {
		t.Fatalf("%s %v %v", got, err, svc.renamed)
	}
	got, err = bridge.Call(context.Background(), svc, "Request", []byte(`[{"session":"s","n":7}]`))
	if err != nil || !strings.Contains(string(got), `"base":7`) {
		t.Fatalf("%s %v", got, err)
	}
}

func TestTheContextComesFromTheShell(t *testing.T) {
	type key struct{}
	svc := &fake{}
	ctx := context.WithValue(context.Background(), key{}, 1)
	if _, err := bridge.Call(ctx, svc, "CallTool", []byte(`["a","b","{}"]`)); err != nil {
		t.Fatal(err)
	}
	if svc.ctx.Value(key{}) != 1 {
		t.Fatal("the method got another context")
	}
}

func TestCallsThatDontFitAreRefusedBeforeAnythingRuns(t *testing.T) {
	for _, c := range []struct {
		method, args string
		want         error
	}{
		{"Nothing", `[]`, bridge.ErrUnknownMethod},
		{"", `[]`, bridge.ErrUnknownMethod},
		{"rename", `["a","b"]`, bridge.ErrUnknownMethod},
		{"Rename", `["a"]`, bridge.ErrArguments},
		{"Rename", `["a","b","c"]`, bridge.ErrArguments},
		{"Rename", `{"a":1}`, bridge.ErrArguments},
		{"Rename", `["a",null]`, bridge.ErrArguments},
		{"Rename", `["a",1]`, bridge.ErrArguments},
		{"Rename", ``, bridge.ErrArguments},
		{"Request", `[{"session":"s","n":1,"more":2}]`, bridge.ErrArguments},
		{"Request", `[{"session":"s","n":1.5}]`, bridge.ErrArguments},
	} {
		svc := &fake{}
		if _, err := bridge.Call(context.Background(), svc, c.method, []byte(c.args)); !errors.Is(err, c.want) {
			t.Errorf("%s %s: got %v", c.method, c.args, err)
		}
		if svc.renamed != [2]string{} {
			t.Errorf("%s %s ran", c.method, c.args)
		}
	}
}

func TestTheServicesOwnErrorComesThroughUnchanged(t *testing.T) {
	if _, err := bridge.Call(context.Background(), &fake{}, "Prompt", []byte(`["hi",[]]`)); err != errRefused {
		t.Fatalf("got %v", err)
	}
}

func TestAPanicBecomesASentenceWithoutItsValue(t *testing.T) {
	_, err := bridge.Call(context.Background(), &fake{}, "Snapshot", nil)
	var panicked *bridge.PanicError
	if !errors.As(err, &panicked) {
		t.Fatalf("got %v", err)
	}
	if strings.Contains(err.Error()+panicked.Report(), "sk-secret") || !strings.Contains(panicked.Report(), "fake_test.go") {
		t.Fatalf("report: %s", panicked.Report())
	}
	_, err = bridge.Call(context.Background(), &fake{}, "Stop", nil) // nil dereference
	if !errors.As(err, &panicked) {
		t.Fatalf("got %v", err)
	}
}

func TestNilListsAreWrittenEmptyAndTheServicesOwnDataIsNotTouched(t *testing.T) {
	svc := &fake{timeline: api.Timeline{Rows: []api.RequestRow{{N: 1}, {N: 2, Tools: []string{"a"}}}}}
	got, err := bridge.Call(context.Background(), svc, "Timeline", []byte(`["s"]`))
	if err != nil {
		t.Fatal(err)
	}
	var back api.Timeline
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	want := api.Timeline{
		Rows: []api.RequestRow{
			{N: 1, Tools: []string{}, Violations: []string{}},
			{N: 2, Tools: []string{"a"}, Violations: []string{}},
		},
		Turns: []api.Turn{}, Redlines: []api.Redline{},
	}
	if !reflect.DeepEqual(back, want) {
		t.Fatalf("got %s", got)
	}
	if svc.timeline.Rows[0].Tools != nil || svc.timeline.Turns != nil {
		t.Fatal("the service's own data was written to")
	}
	if got, _ := bridge.Call(context.Background(), svc, "Tools", nil); string(got) != "[]" {
		t.Fatalf("got %s", got)
	}
}

func TestNullsInListsStayOnlyWhereTheTypesSaySo(t *testing.T) {
	got, err := bridge.Call(context.Background(), &fake{}, "Request", []byte(`[{"session":"s","n":1}]`))
	if err != nil {
		t.Fatal(err)
	}
	var view map[string]any
	if err := json.Unmarshal(got, &view); err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"tools", "messages", "hidden", "redlines"} {
		if _, ok := view[list].([]any); !ok {
			t.Errorf("%s is %v", list, view[list])
		}
	}
	if view["carrier"].(map[string]any)["frame"] != nil {
		t.Error("an absent frame is not null")
	}
}

func BenchmarkTimelineOf10000Rows(b *testing.B) {
	svc := &fake{timeline: api.Timeline{Rows: make([]api.RequestRow, 10000)}}
	for b.Loop() {
		if _, err := bridge.Call(context.Background(), svc, "Timeline", []byte(`["s"]`)); err != nil {
			b.Fatal(err)
		}
	}
}
