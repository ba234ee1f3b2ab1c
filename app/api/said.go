package api

// Words is what a sentence says, without a language: its code in a catalogue, and the values of its placeholders by name.
// Texts are as they were found. Where a field of this type is null, the English sentence beside it is all there is.
type Words struct {
	Code    string            `json:"code"`
	Texts   map[string]string `json:"texts"`
	Numbers map[string]int    `json:"numbers"`
	Inner   map[string]*Words `json:"inner"` // sentences inside this one
}
