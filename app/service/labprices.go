package service

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	"zimoscope/app/api"
	"zimoscope/backend/lab"
)

// labFile holds a person's own prices, in the data folder: they are settings of the program, not of a session. It is of
// the form that `zimoscope lab --prices` reads, with the time after which a cache forgets.
const labFile = "lab-prices.json"

// keptPrices is what labFile holds. Idle counts seconds, 0 for each kind's own.
type keptPrices struct {
	lab.Prices
	Idle int `json:"idle,omitempty"`
}

// readPrices gives the prices that were kept, else the built-in ones. A file that can't be read is no reason not to ask.
func readPrices(path string) (prices api.LabPrices, idle int) {
	p, err := lab.LoadPrices(path)
	if err != nil {
		return shownPrices(lab.BuiltInPrices()), 0
	}
	var kept keptPrices
	if raw, err := os.ReadFile(path); err == nil && json.Unmarshal(raw, &kept) == nil {
		idle = max(0, kept.Idle)
	}
	return shownPrices(p), idle
}

// keepPrices writes what differs from what is built in, and takes the file away when nothing does.
func keepPrices(path string, prices *lab.Prices, idle int) error {
	var err error
	if idle == 0 && reflect.DeepEqual(shownPrices(prices), shownPrices(lab.BuiltInPrices())) {
		if err = os.Remove(path); os.IsNotExist(err) {
			return nil
		}
	} else {
		err = writeWhole(path, keptPrices{Prices: *prices, Idle: idle})
	}
	if err != nil {
		return fmt.Errorf("these prices hold until the program ends, they could not be kept: %w", plainPath(err))
	}
	return nil
}

func labPath(dir string) string { return filepath.Join(dir, labFile) }
