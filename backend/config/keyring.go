package config

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"zimoscope/backend/safely"
)

const (
	// keyringService is under what name the system's keyring lists this program's entries.
	keyringService = "zimoscope"
	// keyringWait is how long an answer of the keyring may take: it may ask a person for its password.
	keyringWait = time.Minute
	// longestKey bounds a key, in bytes: what some systems' keyrings take.
	longestKey = 2000
)

// Errors of the keyring. None holds a key.
var (
	ErrNoKeyring = errors.New("no keyring service answers on this machine; put the key into an environment variable " +
		"and name that by model.apiKeyEnv (" + DefaultKeyVariable + " needs no naming)")
	ErrNoKey   = errors.New("the keyring has no key under this name; save one in the window's key settings, or use an environment variable")
	ErrKeyForm = errors.New("this can't be saved as a key")
)

var keyName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

const keyNameRule = "up to 64 letters, digits and . _ - @, a letter or digit first"

func isKeyName(name string) bool { return keyName.MatchString(name) }

// SaveKey puts a key into the system's keyring; it is never written anywhere else.
func SaveKey(name, key string) error {
	key = strings.TrimSpace(key)
	switch {
	case !isKeyName(name):
		return fmt.Errorf("%w: its name must be %s", ErrKeyForm, keyNameRule)
	case key == "" || len(key) > longestKey || strings.ContainsAny(key, "\r\n\x00"):
		return fmt.Errorf("%w: it must be one line of at most %d bytes", ErrKeyForm, longestKey)
	}
	_, err := ask(func() (string, error) { return "", keyring.Set(keyringService, name, key) })
	return err
}

// DeleteKey removes a key from the keyring. ErrNoKey: there was none.
func DeleteKey(name string) error {
	_, err := ask(func() (string, error) { return "", keyring.Delete(keyringService, name) })
	return err
}

// HasKey says whether the keyring holds a key under a name. ErrNoKeyring: there is no keyring to ask.
func HasKey(name string) (bool, error) {
	_, err := ask(func() (string, error) { return keyring.Get(keyringService, name) })
	if errors.Is(err, ErrNoKey) {
		return false, nil
	}
	return err == nil, err
}

// ask waits for the keyring, but not for ever: the service may be stuck, or nobody there to answer it.
func ask(do func() (string, error)) (string, error) {
	if !busKnown() {
		return "", ErrNoKeyring
	}
	type answer struct {
		key string
		err error
	}
	got := make(chan answer, 1)
	var key string
	safely.Go(func() (err error) { key, err = do(); return err }, func(err error) { got <- answer{key, err} })
	late := time.NewTimer(keyringWait)
	defer late.Stop()
	select {
	case a := <-got:
		return a.key, keyringError(a.err)
	case <-late.C:
		return "", fmt.Errorf("the keyring did not answer for %v; unlock it and try again, or use an environment variable", keyringWait)
	}
}

func keyringError(err error) error {
	var own *safely.Mistake
	switch {
	case err == nil, errors.As(err, &own):
		return err
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNoKey
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return fmt.Errorf("%w: it is too long for this system's keyring", ErrKeyForm)
	}
	return fmt.Errorf("%w (%v)", ErrNoKeyring, err)
}

// busKnown says whether there is a session bus to find a keyring on. Without this question the library would start a bus
// of its own, which would stay behind.
func busKnown() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		return address != "autolaunch:"
	}
	_, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid()))
	return err == nil
}

// ringKey remembers a key that was read, so that the keyring is asked once.
type ringKey struct {
	mu   sync.Mutex
	name string
	key  string
}

func (r *ringKey) seen() string {
	if r == nil {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.key
}

// ForgetKey lets the keyring be asked again: its key was changed.
func (c *Config) ForgetKey() {
	if c.ring == nil {
		return
	}
	c.ring.mu.Lock()
	defer c.ring.mu.Unlock()
	c.ring.key = ""
}

func (c *Config) keyOfRing(name string) (string, error) {
	r := c.ring
	if r == nil { // a configuration made by hand
		r = &ringKey{}
	}
	r.mu.Lock()
	known := r.name == name && r.key != ""
	key := r.key
	r.mu.Unlock()
	if known {
		return key, nil
	}
	key, err := ask(func() (string, error) { return keyring.Get(keyringService, name) })
	if err != nil {
		return "", fmt.Errorf("%w: model.apiKeyKeyring names the key %q: %w", ErrConfig, name, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.name, r.key = name, key
	return key, nil
}
