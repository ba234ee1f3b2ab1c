// Package bundle is the proof bundle: a folder that anyone can check without this program.
//
// Contract: bodies/ holds the exact bytes, manifest.json what is claimed of them, verdicts.json what they were judged,
// SHA256SUMS lists every other file, verify.py checks all of it with Python's standard library, and VERIFY.md says how to
// do it by hand. Verify reads and never writes; it names the first file and part that is not as claimed. It takes a zip
// of the folder too, and unpacks nothing to disk. A body that held a secret has it replaced: the parts that held one
// carry the hash of what was sent as a claim, and say so.
package bundle

import (
	"encoding/json"

	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
)

// Version is the first member of a manifest.
const Version = "zimoscope-bundle/1"

// Names inside a bundle.
const (
	ManifestFile = "manifest.json"
	VerdictsFile = "verdicts.json"
	ScriptFile   = "verify.py"
	PageFile     = "VERIFY.md"
	SumsFile     = "SHA256SUMS"
	BodiesDir    = "bodies"
)

// Manifest says what is in a bundle.
type Manifest struct {
	Bundle   string    `json:"bundle"`
	Chain    string    `json:"chain"`
	Program  string    `json:"program"`
	Session  Session   `json:"session"`
	Files    []File    `json:"files"` // those that are no bodies
	Requests []Request `json:"requests"`
}

// Session is what the bundle is of.
type Session struct {
	Name    string `json:"name"`
	Model   string `json:"model"`
	Host    string `json:"host"`
	Foreign string `json:"foreign,omitempty"`
}

// File is a file with its hash.
type File struct {
	File   string    `json:"file"`
	SHA256 wire.Hash `json:"sha256"`
}

// Request is one body with its chain.
type Request struct {
	N        int             `json:"n"`
	File     string          `json:"file"`
	SHA256   wire.Hash       `json:"sha256"` // of the file
	Sent     *wire.Hash      `json:"sent_sha256,omitempty"`
	Model    json.RawMessage `json:"model"`  // its raw value, null when the body names none
	Params   json.RawMessage `json:"params"` // the members beside model, tools and messages, for reading; not part of the proof
	Rest     wire.Hash       `json:"rest"`
	RestHeld bool            `json:"rest_claimed,omitempty"` // a secret stood in Params: Rest is of what was sent, and can't be recomputed
	Link     wire.Hash       `json:"link"`                   // the last one
	Parts    []Part          `json:"parts"`
	Dialect  string          `json:"dialect"`
	Meta     *verdict.Meta   `json:"meta,omitempty"` // what its sender told
	Kind     string          `json:"kind"`
	Thread   string          `json:"thread"`
	Follows  int             `json:"follows"` // number of the request it goes on from, 0 for none
	Verdict  string          `json:"verdict"`
	Response string          `json:"response,omitempty"` // file
	Status   int             `json:"status,omitempty"`
	SentAt   int64           `json:"sent_at,omitempty"` // ms
	Millis   int64           `json:"ms,omitempty"`
	URL      string          `json:"url,omitempty"`
}

// Part is one part of a body. Claimed says that the hash is of bytes that a secret was taken out of since: it can't
// be recomputed from the file.
type Part struct {
	Kind    wire.Kind `json:"kind"`
	Index   int       `json:"index"`
	SHA256  wire.Hash `json:"sha256"` // its leaf
	Link    wire.Hash `json:"link"`
	Start   int       `json:"start"` // bytes of the file
	End     int       `json:"end"`
	Claimed bool      `json:"claimed,omitempty"`
}
