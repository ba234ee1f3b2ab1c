package secret

import (
	"strings"
	"testing"
)

func TestKnownValuesDisappearWhereverTheyStand(t *testing.T) {
	r := New("sk-abcdef123456", "p@ss word/1", "short", "sk-abcdef123456-longer")
	in := "key sk-abcdef123456-longer, sk-abcdef123456; u=p%40ss+word%2F1 p@ss word/1 short"
	out := r.Text(in)
	if strings.Contains(out, "sk-abc") || strings.Contains(out, "p@ss") || strings.Contains(out, "p%40ss") || !strings.HasSuffix(out, "short") {
		t.Fatal(out)
	}
	same := []byte("nothing here")
	if got := r.Bytes(same); &got[0] != &same[0] {
		t.Fatal("untouched bytes were copied")
	}
	var none *Redactor
	if none.Text("x") != "x" {
		t.Fatal("nil must replace nothing")
	}
}

func TestNamesOfSecretsAreKnown(t *testing.T) {
	for _, n := range []string{"API_KEY", "Authorization", "x-api-key", "GITHUB_TOKEN", "DB_PASSWORD"} {
		if !Name(n) {
			t.Error(n)
		}
	}
	for _, n := range []string{"PATH", "HOME", "ROLE_INSTANCE_ID", "V2_SERVER_URL"} {
		if Name(n) {
			t.Error(n)
		}
	}
}
