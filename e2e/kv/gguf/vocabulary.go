package gguf

import "unicode"

// Special tokens, after those of the 256 bytes.
const (
	tokenEnd = 256 + iota // of a text
	tokenStart
	tokenStop // of a message
	tokenCall
	tokenCalled
)

// Kinds of tokens, as the format numbers them.
const (
	kindNormal  = 1
	kindControl = 3
	kindUser    = 4 // shown as text, always one token
)

// The classes that the policy tells apart, by the last token.
const (
	classOther  = iota
	classLine   // a line break: a message begins
	classWord   // a letter or a space
	classBrace  // a closing brace: a call may be whole
	classCalled // the end of a call
	classes
)

// template renders a conversation. The tag of a call is followed by its JSON at once, so that one token starts a call.
const template = `{%- if tools %}<|im_start|>system
{% if messages[0].role == 'system' %}{{ messages[0].content }}
{% endif %}Tools, one a line. A call is <tool_call>{"name": NAME, "arguments": ARGUMENTS}</tool_call>
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}{%- for m in messages %}{%- if not (tools and loop.first and m.role == 'system') %}<|im_start|>{{ m.role }}
{% if m.content %}{{ m.content }}{% endif %}{%- if m.tool_calls %}{%- for call in m.tool_calls %}{%- set f = call.function %}<tool_call>{"name": "{{ f.name }}", "arguments": {{ f.arguments | tojson }}}</tool_call>{%- endfor %}{%- endif %}<|im_end|>
{% endif %}{%- endfor %}{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

type vocabulary struct {
	tokens []string
	kinds  []int
}

// newVocabulary spells each byte as the byte-level tokenizers do: printable ones by themselves, the others by the
// characters from U+0100 on. The token of a byte has its number.
func newVocabulary() *vocabulary {
	v := &vocabulary{}
	stand := rune(0x100)
	for b := rune(0); b < 256; b++ {
		spelled := b
		if b <= ' ' || b >= 0x7f && b <= 0xa0 || b == 0xad {
			spelled = stand
			stand++
		}
		v.add(string(spelled), kindNormal)
	}
	v.add("<|endoftext|>", kindControl)
	v.add("<|im_start|>", kindControl)
	v.add("<|im_end|>", kindControl)
	v.add("<tool_call>", kindUser)
	v.add("</tool_call>", kindUser)
	return v
}

func (v *vocabulary) add(token string, kind int) {
	v.tokens, v.kinds = append(v.tokens, token), append(v.kinds, kind)
}

func (v *vocabulary) metadata() []value {
	return []value{
		str("tokenizer.ggml.model", "gpt2"), str("tokenizer.ggml.pre", "gpt-2"),
		strs("tokenizer.ggml.tokens", v.tokens), i32s("tokenizer.ggml.token_type", v.kinds), strs("tokenizer.ggml.merges", nil),
		u32("tokenizer.ggml.bos_token_id", tokenEnd), u32("tokenizer.ggml.eos_token_id", tokenStop), yesNo("tokenizer.ggml.add_bos_token", false),
		str("tokenizer.chat_template", template),
	}
}

func (v *vocabulary) class(id int) int {
	switch {
	case id == '\n':
		return classLine
	case id == '}':
		return classBrace
	case id == tokenCalled:
		return classCalled
	case id == ' ' || id < 0x80 && unicode.IsLetter(rune(id)):
		return classWord
	}
	return classOther
}

// Biases of the next token, in nats. A grammar of the engine forbids what a call can't hold; the rest is chance.
const (
	never   = -40 // control characters, bytes above ASCII, tokens that start messages, tags spelled out
	letters = 1
	quote   = 4 // strings are short
	closers = 1

	stopText    = 3.5 // texts are short
	callText    = 3   // and some go over into a call
	callNow     = 6   // most messages begin with a call
	callDone    = 10
	messageDone = 12
)

// bias is the policy: what is added to a token's logit after a token of a class.
func (v *vocabulary) bias(class, id int) float64 {
	switch {
	case id == tokenCalled && class == classBrace:
		return callDone
	case id == tokenStop && class == classCalled:
		return messageDone
	case id == tokenStop && class != classLine:
		return stopText
	case id == tokenCall && class == classLine:
		return callNow
	case id == tokenCall && (class == classWord || class == classCalled):
		return callText
	case id >= tokenEnd, id < ' ', id >= 0x7f, id == '<':
		return never
	case id == '"':
		return quote
	case id == '}', id == ']', id == ',':
		return closers
	case id >= 'a' && id <= 'z':
		return letters
	}
	return 0
}
