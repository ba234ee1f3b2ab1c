package answer

// chatChunk reads one chunk of a chat completion: the first choice, since an agent goes on with that one.
func (r *reader) chatChunk(o members) {
	r.head(o)
	r.usage(o.present("usage"))
	if o.present("usage") == nil && o.present("timings") != nil {
		r.usage(o["timings"])
	}
	for _, c := range o.list("choices") {
		if c.number("index", 0) != 0 {
			continue
		}
		if f := c.text("finish_reason"); f != "" {
			r.Finish, r.Whole = f, true
		}
		d := c.object("delta")
		add(&r.text, d.text("content"))
		add(&r.reasoning, d.text("reasoning_content")+d.text("reasoning"))
		for i, t := range d.list("tool_calls") {
			r.chatCall(t, r.indexOf(t, i))
		}
	}
}

// indexOf gives a call's index; servers that leave it out begin a new call with each id.
func (r *reader) indexOf(t members, i int) int {
	if t.present("index") != nil {
		return t.number("index", i)
	}
	if t.text("id") != "" || len(r.Calls) == 0 {
		return -1 - len(r.Calls)
	}
	return -len(r.Calls)
}

func (r *reader) chatCall(t members, index int) {
	c, arguments := r.call(index)
	f := t.object("function")
	if id := t.text("id"); id != "" && c.ID == "" {
		c.ID = id
	}
	if c.Name == "" {
		c.Name = f.text("name")
	}
	add(arguments, argumentsOf(f, "arguments"))
}

// argumentsOf reads arguments that are text, or, with some servers, an object.
func argumentsOf(m members, name string) string {
	raw := m.present(name)
	if len(raw) > 0 && raw[0] != '"' {
		return string(raw)
	}
	return m.text(name)
}

func (r *reader) head(o members) {
	if r.ID == "" {
		r.ID = o.text("id")
	}
	if r.Model == "" {
		r.Model = o.text("model")
	}
}

func (r *reader) chatWhole(o members) {
	r.head(o)
	r.usage(o.present("usage"))
	for _, c := range o.list("choices") {
		if c.number("index", 0) != 0 {
			continue
		}
		m := c.object("message")
		r.Finish = c.text("finish_reason")
		add(&r.text, m.text("content"))
		add(&r.reasoning, m.text("reasoning_content"))
		for i, t := range m.list("tool_calls") {
			r.chatCall(t, i)
		}
	}
}

// set takes a call that is told whole.
func (r *reader) set(index int, whole Call, arguments string) {
	c, args := r.call(index)
	*c, *args = whole, nil
	add(args, arguments)
}

func (r *reader) responsesEvent(o members) {
	switch o.text("type") {
	case "response.created", "response.in_progress":
		r.head(o.object("response"))
	case "response.output_text.delta":
		add(&r.text, o.text("delta"))
	case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
		add(&r.reasoning, o.text("delta"))
	case "response.completed", "response.incomplete", "response.failed":
		r.Whole = true
		r.responsesWhole(o.object("response"))
	case "error":
		r.Error = o.text("message")
	}
}

func (r *reader) responsesWhole(o members) {
	r.head(o)
	r.Finish = o.text("status")
	r.usage(o.present("usage"))
	if e := errorText(o); e != "" {
		r.Error = e
	}
	text := ""
	for i, item := range o.list("output") {
		switch item.text("type") {
		case "message":
			for _, c := range item.list("content") {
				text += c.text("text")
			}
		case "function_call", "custom_tool_call":
			r.set(i, Call{ID: item.text("call_id"), Name: item.text("name")}, item.text("arguments")+item.text("input"))
		}
	}
	if text != "" {
		r.text = nil
		add(&r.text, text)
	}
}

func (r *reader) messagesEvent(o members) {
	switch o.text("type") {
	case "message_start":
		m := o.object("message")
		r.head(m)
		r.merge(m.present("usage"))
	case "content_block_start":
		if b := o.object("content_block"); b.text("type") == "tool_use" {
			r.set(o.number("index", 0), Call{ID: b.text("id"), Name: b.text("name")}, "")
		}
	case "content_block_delta":
		d := o.object("delta")
		switch d.text("type") {
		case "text_delta":
			add(&r.text, d.text("text"))
		case "thinking_delta":
			add(&r.reasoning, d.text("thinking"))
		case "input_json_delta":
			_, arguments := r.call(o.number("index", 0))
			add(arguments, d.text("partial_json"))
		}
	case "message_delta":
		if f := o.object("delta").text("stop_reason"); f != "" {
			r.Finish = f
		}
		r.merge(o.present("usage"))
	case "message_stop":
		r.Whole = true
	}
}

func (r *reader) messagesWhole(o members) {
	r.head(o)
	r.Finish = o.text("stop_reason")
	r.usage(o.present("usage"))
	for i, b := range o.list("content") {
		switch b.text("type") {
		case "text":
			add(&r.text, b.text("text"))
		case "thinking":
			add(&r.reasoning, b.text("thinking"))
		case "tool_use":
			r.set(i, Call{ID: b.text("id"), Name: b.text("name")}, string(b.present("input")))
		}
	}
}
