package zimoos

import (
	"strings"
	"testing"
)

func TestNumbersOfAFrameKeepTheirDigits(t *testing.T) {
	f, _, err := ParseFrame([]byte(`{"protocol":"zimoos/os-frame","version":"1","frameCursor":"c1","updatedAt":1.7e12,
		"visibleContent":[{"itemId":"a","title":"t","priority":21000000}],"shortcuts":[],
		"handles":[{"id":"h","label":"l","tokenEstimate":9007199254740993}],"tokenBudget":{"max":12345678901234567890,"used":1.50,"truncated":false}}`))
	if err != nil {
		t.Fatal(err)
	}
	b := Block(f, DefaultBlockTokens)
	for _, want := range []string{"9007199254740993", "12345678901234567890", "1.50", "21000000", "1.7e12"} {
		if !strings.Contains(b, want) {
			t.Errorf("%s is missing in\n%s", want, b)
		}
	}
}
