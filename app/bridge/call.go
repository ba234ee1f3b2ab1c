package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"

	"zimoscope/app/api"
)

// Errors of Call that are about the call, not about what the service answered.
var (
	// ErrUnknownMethod: the front end and the program are of different versions; reload the front end.
	ErrUnknownMethod = errors.New("this program has no such method; reload the window, it may be of another version")
	// ErrArguments: the arguments are not the JSON array that the method takes; nothing was run.
	ErrArguments = errors.New("the arguments don't fit the method; nothing was run")
)

// PanicError stands for a panic inside a service method. Error is a sentence for the user; Report is for the log.
type PanicError struct {
	Method string
	Cause  string // the runtime's own text, or only the type of the value: a value may hold what must not be logged
	Stack  []byte
}

func (e *PanicError) Error() string {
	return "The program made a mistake while it answered " + e.Method +
		". What is stored was kept; try again, and report the text on the program's standard error if it comes back."
}

// Report is the cause with the stack, several lines.
func (e *PanicError) Report() string {
	return "panic in " + e.Method + ": " + e.Cause + "\n" + string(e.Stack)
}

var (
	serviceType = reflect.TypeFor[api.Service]()
	contextType = reflect.TypeFor[context.Context]()
)

// Call runs one method of svc. args is a JSON array with exactly the method's parameters, a context left out (empty
// counts as []); members that the parameters don't have are refused. The result is JSON, null when the method has
// none, with nil slices and maps written as [] and {}. Errors: ErrUnknownMethod, ErrArguments, *PanicError, or the
// method's own.
func Call(ctx context.Context, svc api.Service, method string, args []byte) (result []byte, err error) {
	m, ok := serviceType.MethodByName(method)
	if !ok {
		return nil, fmt.Errorf("%s: %w", clip(method), ErrUnknownMethod)
	}
	in, err := arguments(ctx, m.Type, args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", method, ErrArguments, err)
	}
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, &PanicError{Method: method, Cause: cause(p), Stack: debug.Stack()}
		}
	}()
	out := reflect.ValueOf(svc).MethodByName(method).Call(in)
	if failure, _ := out[len(out)-1].Interface().(error); failure != nil {
		return nil, failure
	}
	if len(out) == 1 {
		return []byte("null"), nil
	}
	return encode(out[0])
}

// arguments decodes args into the parameters of fn.
func arguments(ctx context.Context, fn reflect.Type, args []byte) ([]reflect.Value, error) {
	var raw []json.RawMessage
	if len(bytes.TrimSpace(args)) > 0 {
		if err := json.Unmarshal(args, &raw); err != nil {
			return nil, errors.New("they are not a JSON array")
		}
	}
	in := make([]reflect.Value, 0, fn.NumIn())
	used := 0
	for i := range fn.NumIn() {
		if fn.In(i) == contextType {
			in = append(in, reflect.ValueOf(ctx))
			continue
		}
		if used == len(raw) {
			return nil, fmt.Errorf("there are only %d", len(raw))
		}
		value, err := argument(fn.In(i), raw[used])
		if err != nil {
			return nil, fmt.Errorf("number %d: %w", used+1, err)
		}
		in = append(in, value)
		used++
	}
	if used != len(raw) {
		return nil, fmt.Errorf("there are %d, it takes %d", len(raw), used)
	}
	return in, nil
}

// argument decodes one parameter. null is refused: encoding/json would take it for a zero value.
func argument(kind reflect.Type, raw json.RawMessage) (reflect.Value, error) {
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return reflect.Value{}, errors.New("it is null")
	}
	value := reflect.New(kind)
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value.Interface()); err != nil {
		return reflect.Value{}, err
	}
	return value.Elem(), nil
}

func encode(value reflect.Value) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(filled(value).Interface()); err != nil {
		return nil, fmt.Errorf("the answer could not be written as JSON: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

func cause(p any) string {
	if e, ok := p.(runtime.Error); ok {
		return e.Error()
	}
	return fmt.Sprintf("a value of type %T", p)
}

// maxNameShown is how much of an unknown method's name an error repeats, in bytes.
const maxNameShown = 40

func clip(name string) string {
	if len(name) > maxNameShown {
		return fmt.Sprintf("%q…", name[:maxNameShown])
	}
	return fmt.Sprintf("%q", name)
}
