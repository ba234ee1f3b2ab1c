package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"zimoscope/backend/agent"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/config"
	"zimoscope/backend/store"
	"zimoscope/backend/transcript"
)

// ErrNoSettings means that a session keeps no configuration: it was recorded or imported, and runs on nothing here.
var ErrNoSettings = errors.New("this session keeps no configuration; it can be looked at and not run")

// stored is what a session file keeps of its configuration.
type stored struct {
	Demo    bool            `json:"demo,omitempty"`
	Lang    string          `json:"lang,omitempty"`
	Config  json.RawMessage `json:"config,omitempty"`
	Changed bool            `json:"changed,omitempty"` // since the last turn: the next one announces it
}

func keptOf(info store.Info) (kept stored, err error) {
	if len(info.Config) > 0 {
		if err := json.Unmarshal(info.Config, &kept); err != nil {
			return kept, fmt.Errorf("what this session ran on can't be read: %w", err)
		}
	}
	return kept, nil
}

func storedSpec(info store.Info, spec Spec) (Spec, bool, error) {
	kept, err := keptOf(info)
	if err != nil {
		return spec, false, err
	}
	if kept.Demo {
		spec.Demo, spec.Lang, spec.Config = true, kept.Lang, nil
		return spec, false, nil
	}
	if spec.Config == nil {
		if spec.Config, err = ConfigOf(info); err != nil {
			return spec, false, err
		}
	}
	return spec, kept.Changed, nil
}

// ConfigOf gives what a stored session runs on. Secrets, which are not stored, are taken from the configuration file that
// it began with, if that still has them. Errors: ErrNoSettings, also for the demo, and those of package config.
func ConfigOf(info store.Info) (*config.Config, error) {
	kept, err := keptOf(info)
	if err != nil {
		return nil, err
	}
	if kept.Demo || len(kept.Config) == 0 {
		return nil, ErrNoSettings
	}
	c, err := config.FromPublic(kept.Config)
	if err != nil {
		return nil, err
	}
	if len(c.Missing()) > 0 && c.Path != "" {
		if file, err := config.Load(c.Path); err == nil {
			c.Borrow(file)
		}
	}
	return c, nil
}

// Changed says that a session's settings were changed since its last turn.
func Changed(info store.Info) bool {
	kept, err := keptOf(info)
	return err == nil && kept.Changed
}

// Reconfigured is a session's info with another configuration, to be announced with the next turn. The error says what
// of it can't be run on.
func Reconfigured(info store.Info, c *config.Config) (store.Info, error) {
	kept, err := keptOf(info)
	if err != nil {
		return info, err
	}
	p, err := profileOf(c.Model)
	if err != nil {
		return info, err
	}
	kept.Config, kept.Changed = c.Public(), true
	info.Model, info.Host, info.Endpoint, info.Profile = c.Model.Model, hostOf(c.Model.BaseURL), endpointOf(c.Model.BaseURL), p.Name
	info.Config, err = json.Marshal(kept)
	return info, err
}

// Announced is a session's info once its changed settings are in effect.
func Announced(info store.Info) (store.Info, error) {
	kept, err := keptOf(info)
	if err != nil {
		return info, err
	}
	kept.Changed = false
	info.Config, err = json.Marshal(kept)
	return info, err
}

func (l *Live) info(spec Spec) (store.Info, error) {
	kept := stored{Demo: spec.Demo, Lang: spec.Lang}
	if !spec.Demo {
		kept.Config = l.Config.Public()
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return store.Info{}, err
	}
	return store.Info{Name: spec.Name, Model: l.Config.Model.Model, Host: hostOf(l.Config.Model.BaseURL), Endpoint: endpointOf(l.Config.Model.BaseURL), Profile: l.Profile.Name, Simulated: spec.Demo, Config: raw}, nil
}

// Apply announces changed settings as another stable prefix; between two turns only. It says whether the settings are in
// effect: in the middle of a turn that is to be tried again they wait for the next one.
func (l *Live) Apply() (applied bool, err error) {
	if !l.waiting {
		return false, nil
	}
	want, err := l.freshHeader()
	if err != nil {
		return false, err
	}
	if !reflect.DeepEqual(want, l.Agent.Transcript().Header()) {
		err = l.Agent.Rehead(want)
	}
	if errors.Is(err, transcript.ErrMidTurn) {
		return false, nil
	}
	l.waiting = err != nil
	return err == nil, err
}

// take makes a configuration the session's own, to be announced.
func (l *Live) take(c *config.Config) error {
	l.waiting = true
	info := l.Store.Info()
	kept, err := keptOf(info)
	if err != nil || bytes.Equal(kept.Config, c.Public()) {
		return err
	}
	if info, err = Reconfigured(info, c); err != nil {
		return err
	}
	return l.Store.Commit(store.Batch{Info: &info})
}

// Settle notes, after a turn, that changed settings are in effect.
func (l *Live) Settle() error {
	if l.waiting || !Changed(l.Store.Info()) {
		return nil
	}
	info, err := Announced(l.Store.Info())
	if err != nil {
		return err
	}
	return l.Store.Commit(store.Batch{Info: &info})
}

func allStarted(list []toolbox.StartReport) bool {
	return !slices.ContainsFunc(list, func(r toolbox.StartReport) bool { return !r.OK })
}

// Waiting says that changed settings could not be announced yet.
func (l *Live) Waiting() bool { return l.waiting }

// freshHeader is the header that a new session on these settings would have.
func (l *Live) freshHeader() (transcript.Header, error) {
	o := l.options
	o.Journal, o.Observer, o.Stepper = scratch{}, nil, nil
	s, err := agent.New(o)
	if err != nil {
		return transcript.Header{}, err
	}
	return s.Transcript().Header(), nil
}

// scratch is a journal that keeps nothing.
type scratch struct{}

func (scratch) Commit(store.Batch) error         { return nil }
func (scratch) Requests() int                    { return 0 }
func (scratch) Events() ([][]byte, error)        { return nil, nil }
func (scratch) Reply() ([]byte, error)           { return nil, nil }
func (scratch) Body(int) ([]byte, error)         { return nil, store.ErrNotFound }
func (scratch) AllFacts() ([]store.Facts, error) { return nil, nil }
