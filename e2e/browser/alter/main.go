// Command alter leaves a session as a program with a mistake would: it appends to the newest session of a store its last
// main request once more, with words of it changed. The next request of the running agent is then compared with one that
// reads otherwise, as if history or prefix had been rewritten without a word.
//
//	go run ./e2e/browser/alter -data DIR -was WORDS -is WORDS
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"

	"zimoscope/app/stored"
	"zimoscope/backend/requestview/verdict"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/store"
)

func main() {
	data := flag.String("data", "", "folder of the session store")
	was := flag.String("was", "", "words of the last main request, as they stand in its JSON")
	is := flag.String("is", "", "what stands in their place")
	flag.Parse()
	if err := alter(*data, []byte(*was), []byte(*is)); err != nil {
		fmt.Fprintln(os.Stderr, "alter:", err)
		os.Exit(1)
	}
}

func alter(data string, was, is []byte) (err error) {
	st, err := store.New(data)
	if err != nil {
		return err
	}
	list, err := st.List()
	if err != nil || len(list) == 0 {
		return errors.Join(errors.New("there is no session"), err)
	}
	sess, err := st.Open(list[0].ID)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sess.Close()) }()
	records, err := stored.Records(sess)
	if err != nil {
		return err
	}
	last := len(records) - 1
	for last >= 0 && records[last].Meta.Kind != verdict.KindMain {
		last--
	}
	if last < 0 {
		return errors.New("the session has no main request")
	}
	raw, err := sess.Body(records[last].N)
	if err != nil {
		return err
	}
	if !bytes.Contains(raw, was) {
		return fmt.Errorf("the last main request doesn't hold %q", was)
	}
	body, err := wire.Scan(bytes.Replace(raw, was, is, 1))
	if err != nil {
		return err
	}
	rec := *records[last]
	rec.N = sess.Requests() + 1
	rec.Meta.BodySHA256 = wire.Hash(sha256.Sum256(body.Raw))
	return sess.Commit(store.Batch{Request: &store.Request{N: rec.N, Body: body}, Facts: []store.Facts{rec.Facts()}})
}
