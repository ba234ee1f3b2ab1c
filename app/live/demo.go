package live

import (
	"context"
	"fmt"
	"os"

	"zimoscope/backend/config"
	"zimoscope/backend/safely"
	"zimoscope/backend/scripted"
)

// demoModel names the scripted model: it says what it is.
const demoModel = "scripted-demo"

// DemoPrompts are what the demo session asks, one turn each.
func DemoPrompts(lang string) []string {
	if lang == "zh" {
		return scripted.DemoPromptsZH()
	}
	return scripted.DemoPrompts()
}

// startDemo runs the scripted provider as a real HTTP server on loopback and configures the simulator as real child
// processes.
func (l *Live) startDemo(spec Spec) error {
	script := scripted.Demo()
	if spec.Lang == "zh" {
		script = scripted.DemoZH()
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	safely.Go(func() error {
		return scripted.Listen(ctx, "127.0.0.1:0", script, scripted.Options{Model: demoModel, Speed: demoSpeed()}, func(url string) { ready <- url })
	}, func(err error) { ended <- err })
	l.stopDemo = func() { cancel(); <-ended }
	select {
	case url := <-ready:
		l.Config = demoConfig(url, spec.Program)
		return nil
	case err := <-ended:
		l.stopDemo = cancel
		return fmt.Errorf("the scripted provider of the demo could not listen on this machine: %w", err)
	}
}

// demoSpeed lets tests play the demo without its pauses.
func demoSpeed() float64 {
	if os.Getenv("ZIMOSCOPE_DEMO_FAST") != "" {
		return 0
	}
	return 1
}

func demoConfig(url, program string) *config.Config {
	return &config.Config{
		Model: config.Model{BaseURL: url, Model: demoModel, Profile: "llamacpp"},
		Servers: []config.Server{
			{Name: "zimoos", Command: program, Args: []string{"sim"}},
			{Name: "files", Command: program, Args: []string{"sim", "--server", "files"}},
		},
	}
}
