package archtest

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
)

// only says that a library has one door into the program.
type only struct {
	library string
	owners  []string
	reason  string
}

func doors() []only {
	return []only{
		{"github.com/openai/openai-go", []string{"backend/agent/provider"}, "what real providers send leaves the path that the library knows; one package makes up for it"},
		{"github.com/mark3labs/mcp-go/client", []string{"backend/agent/toolbox"}, "one package keeps raw results and owns the server processes"},
		{"github.com/mark3labs/mcp-go/server", []string{"backend/zimoos/sim"}, "the program offers no tools of its own; only the simulator is a server"},
		{"github.com/mark3labs/mcp-go", []string{"backend/agent/toolbox", "backend/zimoos/sim"}, "the protocol is known on the two sides of the process boundary and nowhere else"},
		{"go.etcd.io/bbolt", []string{"backend/store", "internal/bench"}, "transactions and copies of their bytes are one package's care; the bench measures bare commits beside it"},
		{"github.com/wailsapp/wails", []string{"app/window"}, "everything but the window must build and be tested without GTK"},
		{"github.com/spf13", []string{"app/cli"}, "the command line is one shell among others"},
		{"github.com/zalando/go-keyring", []string{"backend/config"}, "keys are asked for in one place, which never gives them back to a front end"},
		{"github.com/andybalholm/brotli", []string{"backend/capture/proxy"}, "what passes is unpacked for the record alone"},
		{"github.com/tiktoken-go", []string{"backend/requestview/cachemodel"}, "the scripted provider counts with a tokenizer of its own, so that prediction and report share no code"},
	}
}

// ban says that from must not depend on to, not even through others.
type ban struct {
	from, to string
	reason   string
}

func bans() []ban {
	const pure = "a request is a function of its arguments: transcript, slot and notices"
	list := []ban{
		{"backend/agent", "backend/zimoos/sim", "the agent must work the same on the real backend"},
		{"backend/agent", "backend/zimoos/mteam", "the agent knows servers by their configuration alone"},
		{"backend/agent", "backend/scripted", "the agent must work the same on a real provider"},
		{"backend/agent", "backend/config", "the agent gets settings, not files"},
		{"backend", "app", "the engine runs without any shell"},
		{"backend", "e2e", "tests are no part of the program"},
		{"backend/agent/provider", module, "the provider client carries bytes and knows nothing of what they mean"},
		{"backend/agent/toolbox", module, "the tool client carries bytes and knows nothing of what they mean"},
		{"backend/scripted", module, "what it reports as cached must share no code with the prediction"},
		{"backend/zimoos/sim", module, "the simulator is another program, as the real backend is"},
		{"backend/requestview/wire", module, "the chain can be checked with a JSON scanner and SHA-256 alone"},
		{"backend/requestview/cachemodel", "backend/agent", "a prediction comes from bytes alone"},
		{"backend/requestview/verdict", "backend/transcript", "a verdict comes from the bytes that were sent, not from what they were built of"},
		{"backend/requestview/verdict", "backend/store", "a verdict comes from the bytes that were sent, wherever they are kept"},
		{"backend/store", "backend/requestview/verdict", "the store keeps verdicts and doesn't make them"},
		{"backend/transcript", "backend/store", "the conversation is kept in memory by events; who stores them is its owner's affair"},
		{"backend/record", "backend/agent", "what is known of a request has the same shape whoever sent it"},
		{"backend/capture", "backend/agent", "other agents' traffic is judged without ours"},
		{"e2e/check", "app", "an assertion must not trust what the program shows"},
	}
	for _, to := range []string{
		"backend/agent", "backend/store", "backend/capture", "backend/config", "backend/scripted", "backend/zimoos/sim",
		"backend/zimoos/mteam", "app",
	} {
		list = append(list, ban{"backend/requestview", to, pure}, ban{"backend/transcript", to, pure})
	}
	return list
}

// levels order the packages: imports go down only. What is not listed lies above all.
func levels() [][]string {
	return [][]string{
		{"backend/safely/together"},
		{"backend/safely"},
		{"backend/secret", "backend/said", "backend/requestview/wire", "backend/scripted", "backend/zimoos/sim", "backend/agent/provider", "backend/agent/toolbox", "backend/engine"},
		{"backend/zimoos", "backend/requestview/cachemodel", "backend/config"},
		{"backend/zimoos/mteam", "backend/transcript", "backend/requestview/verdict"},
		{"backend/requestview", "backend/store", "backend/capture/exchange", "backend/lab"},
		{"backend/record", "backend/capture", "backend/capture/answer", "backend/capture/conversation", "backend/capture/proxy"},
		{"backend/capture/bundle"},
		{"backend/capture/recorder", "backend/capture/infer", "backend/capture/importer", "backend/capture/exporter"},
		{"backend/agent"},
		{"e2e/check"},
	}
}

// above may stand over all levels: what puts the program together, and its tools and tests.
func above() []string { return []string{"app", "e2e", "internal", "scripts"} }

func levelOf(pkg string) (int, bool) {
	for i, level := range levels() {
		if slices.Contains(level, short(pkg)) {
			return i, true
		}
	}
	top := pkg == module || slices.ContainsFunc(above(), func(p string) bool { return within(short(pkg), p) })
	return len(levels()), top
}

// requestPath is all that a request is built by.
func requestPath() []string {
	return []string{"backend/requestview", "backend/requestview/wire", "backend/safely/together", "backend/transcript", "backend/zimoos"}
}

// meaningless is what every package may know, since it knows nothing itself: how a goroutine begins and a panic ends.
const meaningless = "backend/safely"

// impure are packages of the standard library by which a clock, a file, the network or chance would reach a request.
func impure() []string {
	return []string{"time", "os", "net", "math/rand", "crypto/rand", "database/sql", "log", "plugin"}
}

// notOurs is what a package of the request path must not be named, whoever wrote it.
var notOurs = regexp.MustCompile(`(?i)index|search|memory|embed|vector|recall`)

// requestPathProblems lists what the builder of requests depends on beside its own four packages.
func requestPathProblems(g graph) (list []string) {
	for p, way := range g.reach(path.Join(module, "backend/requestview")) {
		switch {
		case within(p, module) && !slices.Contains(requestPath(), short(p)):
			list = append(list, shortWay(way)+": a request depends on transcript, slot and notices, and on nothing else")
		case notOurs.MatchString(p):
			list = append(list, shortWay(way)+": no index, search or memory may reach a request")
		case slices.ContainsFunc(impure(), func(i string) bool { return within(p, i) }):
			list = append(list, shortWay(way)+": no clock, file, network or chance may reach a request")
		}
	}
	slices.Sort(list)
	return list
}

// problems lists every import that breaks a rule, with its reason.
func problems(g graph) (list []string) {
	for _, pkg := range slices.Sorted(maps.Keys(g)) {
		list = append(list, doorProblems(g, pkg)...)
		list = append(list, banProblems(g, pkg)...)
		list = append(list, levelProblems(g, pkg)...)
	}
	return list
}

func doorProblems(g graph, pkg string) (list []string) {
	for _, imported := range g[pkg] {
		for _, d := range doors() {
			if within(imported, d.library) && !slices.ContainsFunc(d.owners, func(o string) bool { return within(short(pkg), o) }) {
				list = append(list, fmt.Sprintf("%s imports %s, which only %v may: %s", short(pkg), imported, d.owners, d.reason))
			}
		}
	}
	return list
}

func banProblems(g graph, pkg string) (list []string) {
	var ways map[string][]string
	for _, b := range bans() {
		if !within(short(pkg), b.from) || b.to != module && within(short(pkg), b.to) {
			continue
		}
		if ways == nil {
			ways = g.reach(pkg)
		}
		for _, p := range slices.Sorted(maps.Keys(ways)) {
			if b.to == module && within(p, module) && !within(short(p), meaningless) || within(p, module) && within(short(p), b.to) {
				list = append(list, fmt.Sprintf("%s: %s", shortWay(ways[p]), b.reason))
			}
		}
	}
	return list
}

func levelProblems(g graph, pkg string) (list []string) {
	own, known := levelOf(pkg)
	if !known {
		list = append(list, short(pkg)+" has no level: say in the table where it stands")
	}
	for _, imported := range g[pkg] {
		if !within(imported, module) {
			continue
		}
		if its, _ := levelOf(imported); its > own || its == own && own < len(levels()) {
			list = append(list, fmt.Sprintf("%s imports %s: imports go down only", short(pkg), short(imported)))
		}
	}
	return list
}
