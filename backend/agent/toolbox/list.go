package toolbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// listTools reads all pages of a server's tools. What was received is kept when
// a later page fails or the cursor does not advance; the warnings say so. An
// error means that not even the first page came.
func (l *link) listTools(ctx context.Context, server string) (tools []Tool, warnings []string, err error) {
	seen := map[string]bool{}
	names := map[string]bool{}
	cursor := ""
	for page := 1; ; page++ {
		raw, err := l.listPage(ctx, cursor)
		if err != nil && page == 1 {
			return nil, nil, err
		}
		if err != nil {
			return tools, append(warnings, fmt.Sprintf("page %d of the tool list could not be read (%v); the pages before it are used", page, err)), nil
		}
		var result struct {
			Tools      []json.RawMessage `json:"tools"`
			NextCursor any               `json:"nextCursor"`
		}
		if err := json.Unmarshal(raw, &result); err != nil {
			return tools, append(warnings, fmt.Sprintf("page %d of the tool list has the wrong shape", page)), nil
		}
		for _, one := range result.Tools {
			tool, ok := readTool(server, one)
			switch {
			case !ok:
				warnings = append(warnings, "a tool without a name was left out")
			case names[tool.Name]:
				warnings = append(warnings, fmt.Sprintf("the tool %q was announced twice; the first is used", tool.Name))
			default:
				names[tool.Name] = true
				l.modern.learn(one)
				tools = append(tools, tool)
			}
		}
		next, _ := result.NextCursor.(string)
		if next == "" {
			return tools, warnings, nil
		}
		if seen[next] || page == maxListPages {
			return tools, append(warnings, "the tool list does not end: its cursor does not advance; what was received is used"), nil
		}
		seen[next] = true
		cursor = next
	}
}

func (l *link) listPage(ctx context.Context, cursor string) (json.RawMessage, error) {
	params := []byte("{}")
	if cursor != "" {
		params = append(append([]byte(`{"cursor":`), quoted(cursor)...), '}')
	}
	r, err := l.request(ctx, "tools/list", params)
	if errors.Is(err, errSessionLost) {
		// Listing changes nothing, so it may be sent again.
		if err = l.renew(ctx); err == nil {
			r, err = l.request(ctx, "tools/list", params)
		}
	}
	if err != nil {
		return nil, err
	}
	if r.rpcError != nil {
		return nil, fmt.Errorf("the server refused: %s", rpcText(r.rpcError))
	}
	return r.result, nil
}

func readTool(server string, raw json.RawMessage) (Tool, bool) {
	var t struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	if json.Unmarshal(raw, &t) != nil || t.Name == "" {
		return Tool{}, false
	}
	return Tool{Server: server, Name: t.Name, Description: t.Description, InputSchema: nonNull(t.InputSchema), Raw: raw}, true
}

// compareTools says what changed from one list to the next. A new order alone
// is a change too: the bytes of a request depend on it.
func compareTools(before, after []Tool) (added, removed, altered []string, changed bool) {
	old := map[string]Tool{}
	for _, t := range before {
		old[t.Name] = t
	}
	now := map[string]bool{}
	for i, t := range after {
		now[t.Name] = true
		was, ok := old[t.Name]
		switch {
		case !ok:
			added = append(added, t.Name)
		case !bytes.Equal(was.Raw, t.Raw):
			altered = append(altered, t.Name)
		case i >= len(before) || before[i].Name != t.Name:
			changed = true
		}
	}
	for _, t := range before {
		if !now[t.Name] {
			removed = append(removed, t.Name)
		}
	}
	return added, removed, altered, changed || len(added)+len(removed)+len(altered) > 0
}
