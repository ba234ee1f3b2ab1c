package store

import (
	"os"
	"sync"

	bolt "go.etcd.io/bbolt"
)

// file is a bbolt file that can be exchanged for another while it is in use: transactions hold swap for reading.
type file struct {
	swap sync.RWMutex
	*bolt.DB
}

// View runs a read transaction on whichever file is the current one.
func (f *file) View(do func(*bolt.Tx) error) error {
	f.swap.RLock()
	defer f.swap.RUnlock()
	return f.DB.View(do)
}

// Update runs a write transaction on whichever file is the current one.
func (f *file) Update(do func(*bolt.Tx) error) error {
	f.swap.RLock()
	defer f.swap.RUnlock()
	return f.DB.Update(do)
}

// syncDir makes renames in a folder survive a crash, where the system can.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync() // some systems can't; the rename itself is done
		_ = d.Close()
	}
}
