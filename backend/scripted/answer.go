package scripted

// Shapes of the answers, with their members in the order in which they are
// sent.

type usage struct {
	PromptTokens        int           `json:"prompt_tokens"`
	CompletionTokens    int           `json:"completion_tokens"`
	TotalTokens         int           `json:"total_tokens"`
	PromptTokensDetails promptDetails `json:"prompt_tokens_details"`
}

type promptDetails struct {
	CachedTokens int `json:"cached_tokens"`
}

type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

type choice struct {
	Index        int            `json:"index"`
	Message      *answerMessage `json:"message,omitempty"`
	Delta        *delta         `json:"delta,omitempty"`
	FinishReason *string        `json:"finish_reason"`
}

type answerMessage struct {
	Role             string       `json:"role"`
	Content          *string      `json:"content"`
	ReasoningContent string       `json:"reasoning_content,omitempty"`
	ToolCalls        []answerCall `json:"tool_calls,omitempty"`
}

type delta struct {
	Role             string       `json:"role,omitempty"`
	Content          *string      `json:"content,omitempty"`
	ReasoningContent string       `json:"reasoning_content,omitempty"`
	ToolCalls        []answerCall `json:"tool_calls,omitempty"`
}

type answerCall struct {
	Index    *int           `json:"index,omitempty"`
	ID       string         `json:"id,omitempty"`
	Type     string         `json:"type,omitempty"`
	Function answerFunction `json:"function"`
}

type answerFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type errorBody struct {
	Error errorObject `json:"error"`
}

type errorObject struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

func newError(typ, code, message string) errorBody {
	e := errorBody{errorObject{Message: message, Type: typ}}
	if code != "" {
		e.Error.Code = &code
	}
	return e
}

func (f *Fault) body() errorBody {
	typ, message := f.Type, f.Message
	if typ == "" {
		typ = "server_error"
	}
	if message == "" {
		message = "The script lets this request fail."
	}
	return newError(typ, f.Code, message)
}

// whole is the message of an answer that is not streamed.
func (r *reply) whole() *answerMessage {
	m := &answerMessage{Role: "assistant", ReasoningContent: r.reasoning}
	if r.text != "" || len(r.calls) == 0 {
		m.Content = &r.text
	}
	for _, c := range r.calls {
		m.ToolCalls = append(m.ToolCalls, answerCall{ID: c.ID, Type: "function",
			Function: answerFunction{Name: c.Function.Name, Arguments: c.Function.Arguments}})
	}
	return m
}

// deltas cuts the answer into the deltas of a stream: the role, the reasoning,
// the text, then each call, its head first. chunk is in runes.
func (r *reply) deltas(chunk int) []delta {
	empty := ""
	out := []delta{{Role: "assistant", Content: &empty}}
	for _, part := range pieces(r.reasoning, chunk) {
		out = append(out, delta{ReasoningContent: part})
	}
	for _, part := range pieces(r.text, chunk) {
		out = append(out, delta{Content: &part})
	}
	for i, c := range r.calls {
		head := answerCall{Index: r.index(i), ID: c.ID, Type: "function", Function: answerFunction{Name: c.Function.Name}}
		out = append(out, delta{ToolCalls: []answerCall{head}})
		for _, part := range pieces(c.Function.Arguments, chunk) {
			next := answerCall{Index: r.index(i), Function: answerFunction{Arguments: part}}
			if r.step.has(QuirkRepeatName) {
				next.Function.Name = c.Function.Name
			}
			out = append(out, delta{ToolCalls: []answerCall{next}})
		}
	}
	return out
}

func (r *reply) index(i int) *int {
	switch {
	case r.step.has(QuirkNoIndex):
		return nil
	case r.step.has(QuirkIndexZero):
		i = 0
	}
	return &i
}

// pieces cuts text at rune boundaries.
func pieces(text string, runes int) []string {
	var out []string
	for text != "" {
		end, n := len(text), 0
		for i := range text {
			if n == runes {
				end = i
				break
			}
			n++
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	return out
}
