// Package live puts a session together: configuration, MCP servers, provider, store, agent. It knows no shell; the
// command line and the window both run sessions through it.
//
// Contract: Create and Reopen return a session that is stored and whose servers have started or are reported as failed;
// Close ends its processes and gives the file back. Nothing here outlives Close.
package live

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"zimoscope/backend/agent"
	"zimoscope/backend/agent/provider"
	"zimoscope/backend/agent/toolbox"
	"zimoscope/backend/config"
	"zimoscope/backend/secret"
	"zimoscope/backend/store"
	"zimoscope/backend/zimoos"
)

// answerTokens is reserved for the answer when the configuration names no limit.
const answerTokens = 4096

// minHistory is the smallest history budget, in tokens, below which windowing would leave nothing to work with.
const minHistory = 1000

// ErrNoModel means that the configuration does not say where the model is.
var ErrNoModel = errors.New("the configuration names no model: set model.baseURL and model.model, or start the demo")

// Spec says what a session runs on.
type Spec struct {
	Config    *config.Config // nil for the demo
	Demo      bool
	Lang      string // of the demo's script: en or zh
	Name      string
	Program   string // this program, started as the simulator's process
	Stepper   *agent.Stepper
	Observer  func(agent.Event)
	OnTraffic func(toolbox.Frame)
}

// Live is a running session.
type Live struct {
	Agent    *agent.Session
	Store    *store.Session
	Box      *toolbox.Box
	Reports  []toolbox.StartReport
	Profile  provider.Profile
	Secrets  *secret.Redactor
	Config   *config.Config
	Demo     bool
	options  agent.Options
	waiting  bool // other settings than the conversation's header says
	client   *provider.Client
	stopDemo func()
}

// Create starts a new session.
func Create(ctx context.Context, st *store.Store, spec Spec) (*Live, error) {
	return start(ctx, spec, func(l *Live, o *agent.Options) error {
		info, err := l.info(spec)
		if err != nil {
			return err
		}
		if l.Store, err = st.Create(info); err != nil {
			return err
		}
		o.Journal, o.Thread = l.Store, l.Store.ID
		l.Agent, err = agent.New(*o)
		return err
	})
}

// Reopen goes on with a stored session, on what it ran on before unless spec says otherwise. Nothing is sent yet.
func Reopen(ctx context.Context, st *store.Store, id string, spec Spec) (*Live, error) {
	sess, err := st.Open(id)
	if err != nil {
		return nil, err
	}
	l, err := Attach(ctx, sess, spec)
	if err != nil {
		return nil, errors.Join(err, sess.Close())
	}
	return l, nil
}

// Attach does so with a session file that is already open. On an error the file stays open and the caller's. A
// configuration in spec that says something else than the session's own is announced, if its servers are all there.
func Attach(ctx context.Context, sess *store.Session, spec Spec) (*Live, error) {
	given := spec.Config != nil
	spec, changed, err := storedSpec(sess.Info(), spec)
	if err != nil {
		return nil, err
	}
	l, err := start(ctx, spec, func(l *Live, o *agent.Options) error {
		l.Store, l.waiting = sess, changed
		if given && !l.Demo && allStarted(l.Reports) {
			if err := l.take(spec.Config); err != nil {
				l.Store = nil
				return err
			}
		}
		o.Journal, o.Thread = sess, sess.ID
		var err error
		if l.Agent, err = agent.Resume(*o); err != nil {
			l.Store = nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if _, err := l.Apply(); err != nil {
		return nil, errors.Join(err, l.Detach())
	}
	return l, nil
}

func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Host
	}
	return ""
}

// endpointOf gives an address without what may be secret in it.
func endpointOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return strings.TrimRight(u.String(), "/")
}

// start brings up provider and servers, then lets open make the agent on them. On an error everything is shut again.
func start(ctx context.Context, spec Spec, open func(*Live, *agent.Options) error) (*Live, error) {
	l := &Live{Config: spec.Config, Demo: spec.Demo, stopDemo: func() {}}
	if spec.Demo {
		if err := l.startDemo(spec); err != nil {
			return nil, err
		}
	}
	o, err := l.agentOptions(spec)
	if err != nil {
		l.stopDemo()
		return nil, err
	}
	l.Box, l.Reports = toolbox.Start(ctx, serverConfigs(l.Config), toolbox.Options{OnTraffic: spec.OnTraffic})
	if ctx.Err() != nil { // servers whose start was cut short would be missing in the session for good
		return nil, errors.Join(agent.ErrStopped, l.closeParts())
	}
	o.Tools = l.Box
	l.options = o
	if err := open(l, &o); err != nil {
		return nil, errors.Join(err, l.closeParts())
	}
	return l, nil
}

func (l *Live) agentOptions(spec Spec) (agent.Options, error) {
	m := l.modelOf()
	if m.BaseURL == "" || m.Model == "" {
		return agent.Options{}, ErrNoModel
	}
	key, err := l.Config.Key()
	if err != nil {
		return agent.Options{}, err
	}
	if l.Profile, err = profileOf(m); err != nil {
		return agent.Options{}, err
	}
	l.Secrets = secret.New(append(l.Config.Secrets(), key)...)
	l.client, err = provider.New(provider.Config{BaseURL: m.BaseURL, Model: m.Model, APIKey: key, Headers: m.Headers, Profile: l.Profile})
	if err != nil {
		return agent.Options{}, err
	}
	return agent.Options{Model: l.client, Profile: l.Profile, ModelName: m.Model, Params: l.params(), System: l.Config.System, Secrets: l.Secrets,
		Observer: spec.Observer, Stepper: spec.Stepper, Predictor: newPredictor(l.Profile), MaxSteps: l.Config.MaxSteps, ContextTokens: l.historyBudget()}, nil
}

// profileOf is the profile that a configuration names or its address suggests, with what it asks for beside.
func profileOf(m config.Model) (provider.Profile, error) {
	p, err := provider.ProfileFor(m.Profile, m.BaseURL, m.Model)
	if err != nil {
		return p, err
	}
	return p.WithToolImages(m.ToolImages).WithCacheMark(m.CacheMark)
}

func (l *Live) modelOf() config.Model {
	if l.Config == nil {
		return config.Model{}
	}
	return l.Config.Model
}

// params are the request's parameters in a fixed order, with the digits of the configuration.
func (l *Live) params() (list []agent.Param) {
	m := l.Config.Model
	if len(m.Temperature) > 0 {
		list = append(list, agent.Param{Name: "temperature", Raw: m.Temperature})
	}
	if len(m.MaxTokens) > 0 {
		list = append(list, agent.Param{Name: l.Profile.MaxTokensField, Raw: m.MaxTokens})
	}
	for _, p := range m.ExtraParams {
		list = append(list, agent.Param{Name: p.Name, Raw: p.Raw})
	}
	return list
}

// historyBudget is what the context window leaves for history: 0 when its size is not configured.
func (l *Live) historyBudget() int {
	m := l.Config.Model
	if m.ContextWindow <= 0 {
		return 0
	}
	answer := answerTokens
	if len(m.MaxTokens) > 0 {
		if err := json.Unmarshal(m.MaxTokens, &answer); err != nil || answer <= 0 {
			answer = answerTokens
		}
	}
	return max(minHistory, m.ContextWindow-answer-zimoos.DefaultBlockTokens)
}

func serverConfigs(c *config.Config) (list []toolbox.ServerConfig) {
	for _, s := range c.Servers {
		list = append(list, toolbox.ServerConfig{Name: s.Name, Command: s.Command, Args: s.Args, Env: s.Env, Cwd: s.Cwd, URL: s.URL, Headers: s.Headers})
	}
	return list
}

// Close waits for the turn (cancel it first), ends the servers and gives the session file back.
func (l *Live) Close() error {
	l.Agent.Wait()
	return l.closeParts()
}

// Detach ends the servers and the connection, and leaves the session file open to its owner. No turn may run.
func (l *Live) Detach() error {
	l.Agent.Wait()
	l.Store = nil
	return l.closeParts()
}

func (l *Live) closeParts() error {
	var errs []error
	if l.Box != nil {
		errs = append(errs, l.Box.Close())
	}
	if l.client != nil {
		l.client.Close()
	}
	l.stopDemo()
	if l.Store != nil {
		errs = append(errs, l.Store.Close())
	}
	return errors.Join(errs...)
}
