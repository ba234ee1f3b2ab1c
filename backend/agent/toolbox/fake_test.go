package toolbox

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"go.uber.org/goleak"
)

// fakeEnv names the behaviour of a child process; the test binary starts itself
// as the server.
const fakeEnv = "ZIMOSCOPE_FAKE_SERVER"

func TestMain(m *testing.M) {
	if mode := os.Getenv(fakeEnv); mode != "" {
		runFake(mode)
		return
	}
	goleak.VerifyTestMain(m)
}

// fake is a server that misbehaves in one way and is otherwise plain.
type fake struct {
	mode string
	in   *bufio.Reader
	held json.RawMessage // id of a request that is answered later
}

func runFake(mode string) {
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "no licence found")
		os.Exit(3)
	case "hang":
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	case "good":
		_ = mcpserver.ServeStdio(goodServer())
		return
	case "sleeper": // the grandchild
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
		return
	case "kids":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), fakeEnv+"=sleeper")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			os.Exit(1)
		}
		fmt.Fprintf(os.Stderr, "grandchild %d\n", child.Process.Pid)
	case "owner": // a program with a server, to be killed
		b, _ := Start(context.Background(), []ServerConfig{child("stubborn")}, Options{LoginShell: "-", StartTimeout: 20 * time.Second})
		fmt.Println(b.Status()[0].PID)
		time.Sleep(time.Hour)
	case "stderr":
		line := strings.Repeat("x", 1023) + "\n"
		for range 1024 {
			_, _ = os.Stderr.WriteString(line)
		}
		_, _ = os.Stderr.Write([]byte("\xb3\xc9\xb9\xa6\n")) // GBK
	case "noise":
		fmt.Print("Server started\n[db] connected\n\n{\"level\":\"info\"}\n{ not json\n")
	}
	(&fake{mode: mode, in: bufio.NewReader(os.Stdin)}).run()
	if mode == "stubborn" {
		time.Sleep(time.Hour)
	}
}

func (f *fake) run() {
	for {
		line, err := f.in.ReadBytes('\n')
		if err != nil {
			return
		}
		var e envelope
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		if f.mode == "newest" && f.newest(e) {
			continue
		}
		switch e.Method {
		case "initialize":
			f.reply(e.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fake","version":"1.2"}}`)
		case "tools/list":
			f.list(e)
		case "tools/call":
			f.call(e)
		}
	}
}

// newest answers as a server does that knows no handshake: every request must say its version.
func (f *fake) newest(e envelope) bool {
	switch {
	case e.Method == "initialize":
		f.print(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}`, e.ID))
	case e.hasID() && !strings.Contains(string(e.Params), `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`):
		f.print(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no version in _meta: %d"}}`, e.ID, len(e.Params)))
	case e.Method == "server/discover":
		f.reply(e.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"newest","version":"1"},"ttlMs":0,"cacheScope":"private"}`)
	case e.Method == "tools/call" && strings.Contains(string(e.Params), `"ask"`):
		f.reply(e.ID, `{"resultType":"input_required","inputRequests":{}}`)
	default:
		return false
	}
	return true
}

func (f *fake) reply(id json.RawMessage, result string) {
	f.print(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result))
}

// print writes one message, over several lines when the mode says so.
func (f *fake) print(message string) {
	if f.mode == "pretty" {
		var v any
		dec := json.NewDecoder(strings.NewReader(message))
		dec.UseNumber()
		_ = dec.Decode(&v)
		pretty, _ := json.MarshalIndent(v, "", "  ")
		message = string(pretty)
	}
	fmt.Println(message)
}

// oddSchema is what a decoder that knows the usual keys would change.
const oddSchema = `{"$schema": "http://json-schema.org/x#","zz":1.0,"type":"object","properties":{"b":{"max":9007199254740993},"a":{}}}`

func (f *fake) list(e envelope) {
	tool := func(name string) string {
		return `{"name":"` + name + `","x-odd":true,"inputSchema":` + oddSchema + `}`
	}
	if strings.HasPrefix(f.mode, "cursor") {
		f.reply(e.ID, `{"tools":[`+tool("echo")+`,`+tool("page"+fmt.Sprint(len(e.Params)))+`],"nextCursor":"same"}`)
		return
	}
	if f.mode == "pages" && !strings.Contains(string(e.Params), "p2") {
		f.reply(e.ID, `{"tools":[`+tool("echo")+`],"nextCursor":"p2"}`)
		return
	}
	if f.mode == "pages" {
		f.reply(e.ID, `{"tools":[`+tool("second")+`]}`)
		return
	}
	names := []string{"echo", "swap"}
	if f.mode == "swapped" {
		names = []string{"echo", "other"}
	}
	f.reply(e.ID, `{"tools":[`+tool(names[0])+`,`+tool(names[1])+`]}`)
}

func (f *fake) call(e envelope) {
	var p struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"arguments"`
	}
	_ = json.Unmarshal(e.Params, &p)
	var a struct {
		Do string `json:"do"`
	}
	_ = json.Unmarshal(p.Args, &a)
	switch a.Do {
	case "nocontent":
		f.reply(e.ID, `{"structuredContent":{"protocol":"zimoos/os-frame"}}`)
	case "unknown":
		f.reply(e.ID, `{"content":[{"type":"text","text":"t"},{"type":"json","json":{"n":1.0}}]}`)
	case "utf8":
		f.reply(e.ID, "{\"content\":[{\"type\":\"text\",\"text\":\"\xb3\xc9\xb9\xa6\"}]}")
	case "iserror":
		f.reply(e.ID, `{"isError":true,"content":[]}`)
	case "rpcerror":
		f.print(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"not today"}}`, e.ID))
	case "big":
		f.reply(e.ID, `{"content":[{"type":"text","text":"`+strings.Repeat("y", 8<<20)+`"}]}`)
	case "hold":
		f.held = e.ID
	case "release": // the late answer first, then this one
		f.reply(f.held, `{"content":[],"late":true}`)
		f.reply(e.ID, `{}`)
	case "crash":
		fmt.Fprintln(os.Stderr, "segfault in plugin")
		os.Exit(7)
	case "swap":
		f.mode = "swapped"
		f.print(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		f.reply(e.ID, `{}`)
	case "notjson":
		fmt.Println("just talking")
		f.reply(e.ID, `{}`)
	case "nothing":
		f.reply(e.ID, `null`)
	default:
		f.reply(e.ID, `{"echo":`+string(p.Args)+`}`)
	}
}

// goodServer is mcp-go's own server.
func goodServer() *mcpserver.MCPServer {
	s := mcpserver.NewMCPServer("good", "9.9", mcpserver.WithToolCapabilities(true))
	tool := mcp.NewToolWithRawSchema("zimoos.current", "reads", json.RawMessage(`{"type":"object"}`))
	s.AddTool(tool, func(_ ctxt, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(fmt.Sprint(len(req.GetArguments()))), nil
	})
	return s
}
