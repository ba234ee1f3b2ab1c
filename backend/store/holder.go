package store

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// holder says who has a session open. It only informs: the lock is the file's own.
type holder struct {
	PID     int    `json:"pid"`
	Program string `json:"program"`
	Since   string `json:"since"`
}

func holderPath(dir, id string) string { return filepath.Join(dir, id+".holder") }

func writeHolder(dir, id string) {
	raw, err := json.Marshal(holder{os.Getpid(), filepath.Base(os.Args[0]), time.Now().Format(time.RFC3339)})
	if err == nil {
		_ = os.WriteFile(holderPath(dir, id), raw, 0o600) // without it the message is only less precise
	}
}

func removeHolder(dir, id string) { _ = os.Remove(holderPath(dir, id)) }

func readHolder(dir, id string) string {
	h, err := holderOf(dir, id)
	if err != nil {
		return "its name is not known"
	}
	return fmt.Sprintf("%s, process %d, since %s", h.Program, h.PID, h.Since)
}

// liveHolder is the holder of a session if that process still runs.
func liveHolder(dir, id string) string {
	h, err := holderOf(dir, id)
	if err != nil || !alive(h.PID) {
		return ""
	}
	return fmt.Sprintf("%s, process %d", h.Program, h.PID)
}

// crashed says that the last program that had the session open did not close it.
func crashed(dir, id string) bool {
	h, err := holderOf(dir, id)
	return err == nil && !alive(h.PID)
}

func holderOf(dir, id string) (h holder, err error) {
	raw, err := os.ReadFile(holderPath(dir, id))
	if err != nil {
		return h, err
	}
	return h, json.Unmarshal(raw, &h)
}
