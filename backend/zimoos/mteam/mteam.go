// Package mteam knows the real ZimoOS backend: where it is, how its MCP server is started, and whether it answers.
//
// Contract: nothing here starts a process or changes anything at the backend; a probe reads the current frame of an
// instance of our own. Probe blocks for two requests at most, each bounded by probeTimeout, and never follows a redirect.
// What stands in for the backend in demos and tests is no part of this package, and Probe can't be satisfied by a frame
// from elsewhere.
package mteam

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// DefaultHubURL is where the backend's hub listens unless MTEAM_HUB_URL says otherwise.
	DefaultHubURL = "http://127.0.0.1:58590"
	// ServerName is the MCP server's name in configurations.
	ServerName = "mteam-primary"

	hubVariable    = "MTEAM_HUB_URL"
	folderVariable = "MTEAM_BACKEND_DIR"
	runtime        = "bun"
	entryPoint     = "src/mcp-primary/index.ts"
)

// What can be missing, in the words of a skip.
const (
	NoAnswer = "no answer at the address"
	NoFolder = "no backend folder"
	NoBun    = "no bun"
)

// Settings are where the backend is.
type Settings struct {
	HubURL     string
	BackendDir string // "" when nobody named one
	// Path is the list of folders in which bun is looked for; "" means this program's.
	Path string
}

// FromEnv takes the settings from the environment.
func FromEnv() Settings {
	return Settings{HubURL: cmp.Or(os.Getenv(hubVariable), DefaultHubURL), BackendDir: os.Getenv(folderVariable)}
}

// Launch is how the MCP server is started, over stdio.
type Launch struct {
	Name    string
	Command string
	Args    []string
	Dir     string
	Env     map[string]string
}

// Instance is an instance id of our own, so that a run does not meet another one's windows.
func Instance(now time.Time) string { return "zimoscope-" + strconv.FormatInt(now.Unix(), 10) }

// Launch describes the MCP server for an instance.
func (s Settings) Launch(instance string) Launch {
	return Launch{
		Name: ServerName, Command: runtime, Args: []string{"run", entryPoint}, Dir: s.BackendDir,
		Env: map[string]string{"ROLE_INSTANCE_ID": instance, "V2_SERVER_URL": s.HubURL},
	}
}

func (s Settings) hasFolder() bool {
	if s.BackendDir == "" {
		return false
	}
	info, err := os.Stat(filepath.Join(s.BackendDir, filepath.FromSlash(entryPoint)))
	return err == nil && info.Mode().IsRegular()
}

func (s Settings) hasBun() bool {
	if s.Path == "" {
		_, err := exec.LookPath(runtime)
		return err == nil
	}
	for _, dir := range filepath.SplitList(s.Path) {
		if filepath.IsAbs(dir) {
			if _, err := exec.LookPath(filepath.Join(dir, runtime)); err == nil {
				return true
			}
		}
	}
	return false
}

// SkipSentence is what a run says that can't be made: always these words, and in brackets what is missing.
func SkipSentence(r Report) string {
	return "skipped: requires mteam backend (" + strings.Join(r.Missing, ", ") + ")"
}
