package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"zimoscope/app/api"
	"zimoscope/app/bridge"
)

// call runs one method of the service.
func (s *Server) call(w http.ResponseWriter, r *http.Request) {
	limit := argumentBytes(r.PathValue("method"))
	args, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("The arguments are over %d MB; nothing was run.", limit>>20))
			return
		}
		fail(w, http.StatusBadRequest, "The arguments did not arrive whole; nothing was run.")
		return
	}
	control := http.NewResponseController(w)
	result, err := bridge.Call(r.Context(), s.svc, r.PathValue("method"), args)
	_ = control.SetWriteDeadline(time.Now().Add(writeTimeout))
	if err != nil {
		s.failure(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(result)
}

// argumentBytes bounds the arguments of a method, in bytes.
func argumentBytes(method string) int64 {
	if method == "Prompt" {
		return maxPromptBytes
	}
	return maxBodyBytes
}

func (s *Server) failure(w http.ResponseWriter, err error) {
	var panicked *bridge.PanicError
	switch {
	case errors.As(err, &panicked):
		s.options.Log(panicked.Report())
		fail(w, http.StatusInternalServerError, err.Error())
	case errors.Is(err, bridge.ErrUnknownMethod), errors.Is(err, api.ErrNotFound):
		fail(w, http.StatusNotFound, err.Error())
	case errors.Is(err, bridge.ErrArguments):
		fail(w, http.StatusBadRequest, err.Error())
	default:
		fail(w, http.StatusUnprocessableEntity, err.Error())
	}
}

// fail answers with a sentence in the one form that the front end reads.
func fail(w http.ResponseWriter, status int, sentence string) {
	body, _ := json.Marshal(map[string]string{"error": sentence})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// stream sends events until the client leaves, the program ends, or there is a gap.
func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	after, err := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64)
	if err != nil {
		fail(w, http.StatusBadRequest, "Say after which event: /api/events?after=N.")
		return
	}
	if s.streams.Add(1) > maxStreams {
		s.streams.Add(-1)
		fail(w, http.StatusServiceUnavailable, "Too many pages listen already; close some.")
		return
	}
	defer s.streams.Add(-1)
	events, cancel := s.events.Subscribe(after)
	defer cancel()

	w.Header().Set("Content-Type", "text/event-stream")
	out := eventWriter{w: w, control: http.NewResponseController(w)}
	if out.send(": listening\n\n") == nil {
		s.pump(r.Context(), out, events)
	}
}

func (s *Server) pump(ctx context.Context, out eventWriter, events <-chan api.Event) {
	beat := time.NewTicker(s.beat)
	defer beat.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			err = out.send(": still here\n\n")
		case event, ok := <-events:
			if !ok {
				_ = out.send("event: gap\ndata: {}\n\n")
				return
			}
			err = out.event(event)
		}
		if err != nil {
			return
		}
	}
}

// eventWriter writes and flushes, with a deadline for each write.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (e eventWriter) event(event api.Event) error {
	data, err := json.Marshal(event)
	if err != nil {
		return err
	}
	return e.send("data: " + string(data) + "\n\n")
}

func (e eventWriter) send(text string) error {
	_ = e.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := io.WriteString(e.w, text); err != nil {
		return err
	}
	return e.control.Flush()
}
