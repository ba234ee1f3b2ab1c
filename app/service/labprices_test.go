package service

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"zimoscope/app/api"
	"zimoscope/backend/lab"
)

// asked asks the lab about a session and waits for its end.
func (d *desk) asked(o api.LabOrder) api.LabState {
	d.t.Helper()
	if err := d.s.StartLab(o); err != nil {
		d.t.Fatal(err)
	}
	var got api.LabState
	d.until("the lab's end", func(api.Snapshot) bool {
		var err error
		got, err = d.s.Lab()
		return err == nil && !got.Running
	})
	return got
}

func TestOwnPricesOutliveTheProgramUntilTheyAreTheBuiltInOnesAgain(t *testing.T) {
	d := newDesk(t)
	id := d.imported("a.jsonl", chatFirst+"\n"+chatSecond+"\n").Session
	built := shownPrices(lab.BuiltInPrices())
	own := shownPrices(lab.BuiltInPrices())
	own.Classes[0].Uncached = 9.5
	if got := d.asked(api.LabOrder{Session: id, Prices: own, Idle: 90}); got.Unkept != "" || got.Error != "" {
		t.Fatalf("%+v", got)
	}
	later := newLab(d.s.o.Store.Dir()).state
	if !reflect.DeepEqual(later.Prices, own) || later.Idle != 90 || !reflect.DeepEqual(later.BuiltIn, built) {
		t.Errorf("%+v", later)
	}
	path := labPath(d.s.o.Store.Dir())
	if p, err := lab.LoadPrices(path); err != nil || p.Classes[own.Classes[0].Class].Uncached != 9.5 {
		t.Errorf("the command line can't read them: %v %+v", err, p)
	}
	d.asked(api.LabOrder{Session: id, Prices: built})
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("built-in prices are kept as a person's own: %v", err)
	}
	if later := newLab(d.s.o.Store.Dir()).state; !reflect.DeepEqual(later.Prices, built) || later.Idle != 0 {
		t.Errorf("%+v", later)
	}
}

func TestPricesThatCantBeKeptAreUsedAndSaidToBeForgotten(t *testing.T) {
	d := newDesk(t)
	id := d.imported("a.jsonl", chatFirst+"\n").Session
	if err := os.MkdirAll(filepath.Join(labPath(d.s.o.Store.Dir()), "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	own := shownPrices(lab.BuiltInPrices())
	own.Classes[0].Read = 1
	if got := d.asked(api.LabOrder{Session: id, Prices: own}); got.Unkept == "" || got.Result == nil || !reflect.DeepEqual(got.Prices, own) {
		t.Errorf("%+v", got)
	}
}

func TestPricesThatCantBeReadAreTheBuiltInOnes(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"", "[]", `{"prices":{"x":{"uncached":-1}}}`, `{"idle":-4}`} {
		if err := os.WriteFile(labPath(dir), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if prices, idle := readPrices(labPath(dir)); !reflect.DeepEqual(prices, shownPrices(lab.BuiltInPrices())) || idle != 0 {
			t.Errorf("%q: %+v %d", text, prices, idle)
		}
	}
}
