package window

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
)

// Facade is all that the page can reach: wails exposes every exported method of a bound value, so it has one.
type Facade struct {
	ctx context.Context
	svc api.Service
	log func(string)

	first sync.Once
	ready func() // runs before the first call: by then the page's script engine is up
}

// Call runs one method of the service and returns its result as JSON. The error's text is a sentence for the user.
// It never panics, because that would end the program.
func (f *Facade) Call(method, argsJSON string) (result string, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = "", fmt.Errorf("the program made a mistake (%T); what is stored was kept, try again", p)
		}
	}()
	f.first.Do(f.ready)
	answer, err := bridge.Call(f.ctx, f.svc, method, []byte(argsJSON))
	var panicked *bridge.PanicError
	if errors.As(err, &panicked) && f.log != nil {
		f.log(panicked.Report())
	}
	return string(answer), err
}
