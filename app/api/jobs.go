package api

// Job is something that takes a while and can be stopped: an import or an export.
type Job struct {
	ID       int      `json:"id"`
	Kind     string   `json:"kind"`  // import, export
	Name     string   `json:"name"`  // of the first file, or of the session
	State    string   `json:"state"` // running, done, failed, cancelled
	File     string   `json:"file"`  // that is being read
	Bytes    int64    `json:"bytes"` // read or written so far
	Total    int64    `json:"total"` // 0 when it isn't known
	Requests int      `json:"requests"`
	Format   string   `json:"format"`
	Notes    []string `json:"notes"` // what could not be read, or could not be told
	Error    string   `json:"error"`
	Session  string   `json:"session"`  // that was made, or is exported
	Opened   bool     `json:"opened"`   // the session that was made is the open one now
	Path     string   `json:"path"`     // of what was written
	Download string   `json:"download"` // address of what was written, for one time; "" when it lies at Path
}

// ExportOrder says what to export.
type ExportOrder struct {
	Session string `json:"session"`
	Format  string `json:"format"`  // jsonl, har, otlp, html, curl, proof
	Request int    `json:"request"` // only this one; 0 for all
}

// NewProxy says what a recording proxy stands in front of.
type NewProxy struct {
	Upstream string `json:"upstream"` // address of the provider
	Name     string `json:"name"`     // of the session; one of that name goes on. "" makes one
	Listen   string `json:"listen"`   // loopback address, "" for a free port
}

// ProxyState is the recording proxy of the open session.
type ProxyState struct {
	Running  bool   `json:"running"`
	Stopping bool   `json:"stopping"`
	Address  string `json:"address"` // what an agent uses as its base URL
	Upstream string `json:"upstream"`
	Active   int    `json:"active"` // exchanges under way
	Error    string `json:"error"`  // why it ended by itself, or what could not be kept
}
