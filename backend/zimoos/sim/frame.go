package sim

import (
	"bytes"
	"encoding/json"
)

const (
	frameProtocol = "zimoos/os-frame"
	frameVersion  = "1"

	// frameTokenBudget is what a frame says it may take, in tokens. It is a
	// statement in the frame, not a limit: `grow` goes beyond it on purpose.
	frameTokenBudget = 4000
	// bytesPerToken is the rough size of a token, for the figures in a frame.
	bytesPerToken = 4
)

// Frame is what an agent sees of the OS at one moment. Arrays are never null.
type Frame struct {
	Protocol             string         `json:"protocol"`
	Version              string         `json:"version"`
	FrameID              string         `json:"frameId"`
	FrameCursor          string         `json:"frameCursor"`
	OSInstanceID         string         `json:"osInstanceId"`
	AgentID              string         `json:"agentId"`
	CurrentAppInstanceID string         `json:"currentAppInstanceId"`
	Status               string         `json:"status"`
	Title                string         `json:"title"`
	Summary              string         `json:"summary"`
	Breadcrumb           []Crumb        `json:"breadcrumb"`
	VisibleContent       []Item         `json:"visibleContent"`
	Shortcuts            []Shortcut     `json:"shortcuts"`
	Handles              []Handle       `json:"handles"`
	RecoveryActions      []Shortcut     `json:"recoveryActions"`
	Notifications        []Notification `json:"notifications"`
	TokenBudget          TokenBudget    `json:"tokenBudget"`
	UpdatedAt            string         `json:"updatedAt"`
}

// Crumb is one step of the way from the home screen to the current one.
type Crumb struct {
	Label         string `json:"label"`
	AppInstanceID string `json:"appInstanceId"`
}

// Item is one visible thing: a row, a line, a toggle.
type Item struct {
	ItemID   string `json:"itemId"`
	Kind     string `json:"kind"`
	Title    string `json:"title"`
	Content  string `json:"content"`
	Priority string `json:"priority"`
}

// Shortcut is a command that can be given to the act tool as it stands, or,
// where it ends in <…>, after that part has been filled in.
type Shortcut struct {
	ID                   string `json:"id"`
	Cmd                  string `json:"cmd"`
	Label                string `json:"label"`
	EffectPreview        string `json:"effectPreview"`
	RiskLevel            string `json:"riskLevel"`
	RequiresConfirmation bool   `json:"requiresConfirmation"`
}

// Handle names something that can be expanded with `expand <id>`.
type Handle struct {
	ID            string `json:"id"`
	Label         string `json:"label"`
	EffectPreview string `json:"effectPreview"`
	TokenEstimate int    `json:"tokenEstimate"`
}

// Notification is one message of the OS to its user.
type Notification struct {
	ID            string `json:"id"`
	AppInstanceID string `json:"appInstanceId"`
	AppID         string `json:"appId"`
	Summary       string `json:"summary"`
	Priority      string `json:"priority"`
	Status        string `json:"status"`
}

// TokenBudget says how large the frame may be and is, in tokens.
type TokenBudget struct {
	Max       int  `json:"max"`
	Used      int  `json:"used"`
	Truncated bool `json:"truncated"`
}

// errorResult is the shape of a call that failed: the reason and the frame as
// it was before the call and still is.
type errorResult struct {
	Error string `json:"error"`
	Frame Frame  `json:"frame"`
}

// encode writes v as JSON with two spaces of indent and without escaping of
// <, > and &, so that commands read the same as they are typed.
func encode(v any) (string, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimSuffix(buf.Bytes(), []byte("\n"))), nil
}
