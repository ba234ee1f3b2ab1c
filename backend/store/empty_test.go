package store

import (
	"errors"
	"os"
	"testing"
)

func TestAnEmptyFileIsDamagedAndStaysEmpty(t *testing.T) {
	dir := t.TempDir()
	st, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	sess, err := st.Create(Info{Name: "cut"})
	if err != nil {
		t.Fatal(err)
	}
	if err := sess.Close(); err != nil {
		t.Fatal(err)
	}
	path := sessionPath(dir, sess.ID)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(string) (*Session, error){"open": st.Open, "read": st.Read} {
		if _, err := open(sess.ID); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := st.List(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("%d bytes, %v: the file was written", info.Size(), err)
	}
}
