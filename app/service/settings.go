package service

import (
	"errors"
	"io/fs"
	"strings"

	"zimoscope/app/api"
	"zimoscope/app/live"
	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/config"
	"zimoscope/backend/store"
)

// Reasons why settings can't be changed; the front end has words for them.
const (
	whyDemo = "demo"
	whyNone = "none"
)

func settingsOf(s api.Settings) config.Settings {
	return config.Settings{BaseURL: s.BaseURL, Model: s.Model, Profile: s.Profile, APIKeyEnv: s.APIKeyEnv, APIKeyKeyring: s.APIKeyKeyring, System: s.System,
		Temperature: s.Temperature, MaxTokens: s.MaxTokens, ContextWindow: s.ContextWindow, MaxSteps: s.MaxSteps, Params: s.Params, Servers: s.Servers}
}

func shownSettings(c *config.Config) api.SessionSettings {
	s := c.Settings()
	out := emptySettings()
	out.Settings = api.Settings{BaseURL: s.BaseURL, Model: s.Model, Profile: s.Profile, APIKeyEnv: s.APIKeyEnv, APIKeyKeyring: s.APIKeyKeyring, System: s.System,
		Temperature: s.Temperature, MaxTokens: s.MaxTokens, ContextWindow: s.ContextWindow, MaxSteps: s.MaxSteps, Params: s.Params, Servers: s.Servers}
	out.Config, out.Missing, out.Editable = c.Path, c.Missing(), true
	return out
}

func emptySettings() api.SessionSettings {
	return api.SessionSettings{BuiltIn: agent.DefaultSystem, Profiles: provider.ProfileNames(), Missing: []string{}}
}

// loaded reads a configuration file. Without one at the default place a form begins empty.
func loaded(path string, form bool) (*config.Config, error) {
	named := path != ""
	if !named {
		path = config.DefaultPath()
	}
	c, err := config.Load(path)
	if err != nil && form && !named && errors.Is(err, fs.ErrNotExist) {
		return &config.Config{}, nil
	}
	return c, err
}

// Draft implements api.Service.
func (s *Service) Draft(path string) (api.SessionSettings, error) {
	c, err := loaded(path, true)
	if err != nil {
		return api.SessionSettings{}, err
	}
	return shownSettings(c), nil
}

// Settings implements api.Service.
func (s *Service) Settings(id string) (out api.SessionSettings, err error) {
	s.mu.Lock()
	var info store.Info
	var c *config.Config
	open := s.book != nil && s.book.sess.ID == id
	if open {
		info, c = s.book.sess.Info(), s.config
	}
	s.mu.Unlock()
	if !open {
		sess, err := s.o.Store.Read(id)
		if err != nil {
			return out, err
		}
		info = sess.Info()
		if err := sess.Close(); err != nil {
			return out, err
		}
	}
	if c == nil {
		c, err = live.ConfigOf(info)
	}
	switch {
	case errors.Is(err, live.ErrNoSettings):
		out = emptySettings()
		out.Model, out.BaseURL, out.Profile, out.Why = info.Model, info.Endpoint, info.Profile, whyNone
		if info.Simulated {
			out.Why = whyDemo
		}
	case err != nil:
		return out, err
	default:
		out = shownSettings(c)
	}
	out.Session, out.Pending = id, live.Changed(info)
	return out, nil
}

// Configure implements api.Service: the settings are stored, and in effect from the next turn on.
func (s *Service) Configure(id string, change api.Settings) error {
	return s.onSession(id, func(sess *store.Session) error {
		s.mu.Lock()
		open := s.book != nil && s.book.sess == sess
		var base *config.Config
		if open {
			if base = s.config; base == nil && s.run != nil && !s.run.Demo {
				base = s.run.Config
			}
		}
		s.mu.Unlock()
		var err error
		if base == nil {
			if base, err = live.ConfigOf(sess.Info()); err != nil {
				return err
			}
		}
		next, err := base.With(settingsOf(change))
		if err != nil {
			return err
		}
		if err := s.editInfo(sess, func(i store.Info) (store.Info, error) { return live.Reconfigured(i, next) }); err != nil {
			return err
		}
		if open {
			s.set(func() { s.config, s.stale = next, true })
			s.publish(topicState, id)
		}
		return nil
	})
}

// KeyState implements api.Service.
func (s *Service) KeyState(name string) (api.KeyState, error) {
	saved, err := config.HasKey(name)
	if errors.Is(err, config.ErrNoKeyring) { // the front end has words for that; what the system said goes with them
		return api.KeyState{Why: strings.Trim(strings.TrimPrefix(err.Error(), config.ErrNoKeyring.Error()), " ()")}, nil
	}
	if err != nil {
		return api.KeyState{}, err
	}
	return api.KeyState{Available: true, Saved: saved}, nil
}

// SaveKey implements api.Service. The key goes to the keyring and nowhere else; a session that names it reads it with
// the next turn.
func (s *Service) SaveKey(name, key string) error {
	if err := config.SaveKey(name, key); err != nil {
		return err
	}
	s.set(func() {
		if s.config != nil {
			s.config.ForgetKey()
		}
		s.stale = s.stale || s.run != nil && s.run.Config.Model.APIKeyKeyring == name
	})
	return nil
}

// DeleteKey implements api.Service.
func (s *Service) DeleteKey(name string) error { return config.DeleteKey(name) }
