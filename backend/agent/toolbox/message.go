package toolbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// envelope is a JSON-RPC message with its values left as they came.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	Params json.RawMessage `json:"params"`
}

// key makes an id comparable; some servers send a number back as text.
func (e envelope) key() string { return strings.Trim(string(bytes.TrimSpace(e.ID)), `"`) }

func (e envelope) hasID() bool { return len(e.ID) > 0 && string(e.ID) != "null" }

// reply is the answer to a request: one of the two is set.
type reply struct {
	result   json.RawMessage
	rpcError json.RawMessage
}

// rpcText makes a protocol error readable, whatever shape it has.
func rpcText(raw json.RawMessage) string {
	var e struct {
		Code    json.RawMessage `json:"code"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(raw, &e) != nil || e.Message == "" {
		return string(raw)
	}
	if len(e.Code) == 0 {
		return e.Message
	}
	return fmt.Sprintf("%s (code %s)", e.Message, e.Code)
}

// requestBody writes a request without touching the bytes of params.
func requestBody(id int64, method string, params []byte) []byte {
	body := make([]byte, 0, len(params)+96)
	body = append(body, `{"jsonrpc":"2.0","id":`...)
	body = strconv.AppendInt(body, id, 10)
	body = append(body, `,"method":`...)
	body = append(body, quoted(method)...)
	if len(params) > 0 {
		body = append(body, `,"params":`...)
		body = append(body, params...)
	}
	return append(body, '}')
}

func callParams(tool string, args []byte) []byte {
	params := append([]byte(`{"name":`), quoted(tool)...)
	params = append(params, `,"arguments":`...)
	params = append(params, args...)
	return append(params, '}')
}

// quoted writes a JSON string without escaping what needs none.
func quoted(s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return bytes.TrimRight(buf.Bytes(), "\n")
}

// normalArgs gives the arguments to send: {} for none, else the bytes given.
func normalArgs(args json.RawMessage) (json.RawMessage, error) {
	trimmed := bytes.TrimSpace(args)
	if len(trimmed) == 0 || string(trimmed) == "null" {
		return json.RawMessage("{}"), nil
	}
	if trimmed[0] != '{' || !json.Valid(trimmed) {
		return nil, fmt.Errorf("the arguments are not one JSON object")
	}
	return args, nil
}

// oneLine makes a message fit one line. Line breaks stand only between tokens
// there: in a string they are escaped.
func oneLine(body []byte) []byte {
	if !bytes.ContainsAny(body, "\r\n") {
		return body
	}
	line := bytes.Clone(body)
	for i, b := range line {
		if b == '\r' || b == '\n' {
			line[i] = ' '
		}
	}
	return line
}
