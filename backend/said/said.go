// Package said gives a sentence a code and values beside its English words, so that a window can say it in another
// language. A catalogue holds the English sentences of one family; the front end's dictionaries are made and checked
// against the catalogues, so a sentence has one source.
//
// Contract: no state and no input or output. Values are data: whoever shows them makes hostile text inert.
package said

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// Words is what a sentence says, without a language: its code, and the values of its placeholders by name. A text is as
// it was found, a number is not yet formatted, and an inner sentence has a code of its own.
type Words struct {
	Code    string            `json:"code"`
	Texts   map[string]string `json:"texts,omitempty"`
	Numbers map[string]int    `json:"numbers,omitempty"`
	Inner   map[string]*Words `json:"inner,omitempty"`
}

// Sentence is said twice: in English, and by its words. Words is nil where a sentence has no code.
type Sentence struct {
	Text  string
	Words *Words
}

// String gives the English words; those of no sentence are empty.
func (s *Sentence) String() string {
	if s == nil {
		return ""
	}
	return s.Text
}

// Of gives the words of a sentence, nil for none.
func (s *Sentence) Of() *Words {
	if s == nil {
		return nil
	}
	return s.Words
}

// Plain is a sentence that has English words only, such as another program's.
func Plain(text string) *Sentence { return &Sentence{Text: text} }

// Catalogue is a family of sentences: English words by code. {name} stands for a value, {name:q} for a text that is quoted,
// {name:d} for a whole number, {name:w} for one word.
type Catalogue struct {
	Family string
	Texts  map[string]string
}

// placeholder finds the places of values: name, and whether the value is quoted.
var placeholder = regexp.MustCompile(`\{(\w+)(:[qdw])?\}`)

// Names lists the placeholders of a template in the order of their first appearance.
func Names(template string) (names []string) {
	seen := map[string]bool{}
	for _, m := range placeholder.FindAllStringSubmatch(template, -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			names = append(names, m[1])
		}
	}
	return names
}

// Say makes a sentence. The values go to the placeholders in order: a string, a whole number, an error, or a sentence
// inside this one. A placeholder without a value stays as it is written, and a code that isn't in the catalogue is said
// as it is: a mistake is seen, and nothing is lost by it.
func (c Catalogue) Say(code string, values ...any) *Sentence {
	template, known := c.Texts[code]
	if !known {
		return Plain(code)
	}
	w := &Words{Code: c.Family + "." + code}
	if len(values) == 0 {
		return &Sentence{Text: template, Words: w}
	}
	english := map[string]string{}
	for i, name := range Names(template) {
		if i < len(values) {
			english[name] = w.put(name, values[i])
		}
	}
	text := placeholder.ReplaceAllStringFunc(template, func(place string) string {
		m := placeholder.FindStringSubmatch(place)
		value, has := english[m[1]]
		switch {
		case !has:
			return place
		case m[2] == ":q":
			return strconv.Quote(value)
		}
		return value
	})
	return &Sentence{Text: text, Words: w}
}

// put keeps a value and gives it in English.
func (w *Words) put(name string, value any) string {
	switch v := value.(type) {
	case int:
		if w.Numbers == nil {
			w.Numbers = map[string]int{}
		}
		w.Numbers[name] = v
		return strconv.Itoa(v)
	case *Sentence:
		if v.Of() != nil {
			w.inner(name, v.Words)
			return v.Text
		}
		return w.text(name, v.String())
	case error:
		if inner := OfError(v); inner != nil {
			w.inner(name, inner)
			return v.Error()
		}
		return w.text(name, v.Error())
	}
	return w.text(name, fmt.Sprint(value))
}

func (w *Words) inner(name string, words *Words) {
	if w.Inner == nil {
		w.Inner = map[string]*Words{}
	}
	w.Inner[name] = words
}

func (w *Words) text(name, value string) string {
	if w.Texts == nil {
		w.Texts = map[string]string{}
	}
	w.Texts[name] = value
	return value
}

// failure is an error that has words.
type failure struct {
	*Sentence
	cause error
}

func (f *failure) Error() string { return f.Text }
func (f *failure) Unwrap() error { return f.cause }

// Error makes an error of a sentence; cause is what errors.Is finds behind it, nil for nothing.
func (c Catalogue) Error(cause error, code string, values ...any) error {
	return &failure{c.Say(code, values...), cause}
}

// OfError gives the words of an error that says just one sentence, nil for any other: an error that wraps one with
// words in more words has none of its own.
func OfError(err error) *Words {
	var f *failure
	if errors.As(err, &f) && f.Text == err.Error() {
		return f.Words
	}
	return nil
}
