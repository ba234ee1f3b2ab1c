package agent

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"zimoscope/backend/agent/provider"
	"zimoscope/backend/requestview/wire"
	"zimoscope/backend/safely"
)

// proof watches the attempts to send one body: each is compared with the frozen bytes as it leaves, and hashed anew
// beside the path.
type proof struct {
	body    *wire.Body
	hashing sync.WaitGroup
	mu      sync.Mutex
	done    []attempt
	spare   []byte // memory for what a tap sees, given back when the attempt was told of
}

// attempt is what left, and what it proves.
type attempt struct {
	n     int
	sent  []byte
	err   error
	proof string
	note  string
	sum   wire.Hash
}

func (p *proof) attempt(n int) provider.AttemptTap {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := p.spare
	p.spare = nil
	if cap(sent) < len(p.body.Raw) {
		sent = make([]byte, 0, len(p.body.Raw)+len(p.body.Raw)/8)
	}
	return &tap{p: p, n: n, match: p.body.Matcher(), sent: sent[:0]}
}

// give takes back the memory of an attempt that nobody looks at any more.
func (p *proof) give(sent []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spare = sent
}

// take gives the attempts that were judged since the last take.
func (p *proof) take() []attempt {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.done
	p.done = nil
	return d
}

type tap struct {
	p     *proof
	n     int
	match *wire.Matcher
	sent  []byte
}

// Write sees the bytes as the transport takes them.
func (t *tap) Write(b []byte) (int, error) {
	t.sent = append(t.sent, b...)
	return t.match.Write(b)
}

// Done ends the attempt and starts the full hash.
func (t *tap) Done(_ int, err error) {
	a := attempt{n: t.n, sent: t.sent, err: err}
	t.p.hashing.Add(1)
	safely.Go(func() error { a.judge(t.match, t.p.body); return nil }, func(err error) {
		defer t.p.hashing.Done()
		if err != nil {
			a.proof, a.note = ProofPending, fmt.Sprintf("the bytes that left could not be hashed, so nothing is proved of them: %v", err)
		}
		t.p.mu.Lock()
		defer t.p.mu.Unlock()
		t.p.done = append(t.p.done, a)
	})
}

// judge lets a request read proved only when the bytes that left were hashed and give the claimed chain.
func (a *attempt) judge(m *wire.Matcher, claimed *wire.Body) {
	a.sum = sha256.Sum256(a.sent)
	equal, at := m.Result()
	if !equal && at == len(a.sent) {
		a.proof, a.note = ProofPartial, "the server answered before it took the whole body"
		return
	}
	if !equal {
		a.proof, a.note = ProofBroken, fmt.Sprintf("the bytes that left differ from the claimed ones, from byte %d on", at)
		return
	}
	if at := claimed.Rehash(a.sent); at >= 0 {
		a.proof, a.note = ProofBroken, fmt.Sprintf("the bytes that left do not hash to the claimed chain, from byte %d on", at)
		return
	}
	a.proof = ProofHolds
}
