package exportapi

import (
	"hash/fnv"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// applyForced does what scenarios ask for before a request is worked on: it
// waits, and refuses. done means that there is nothing to work on.
func (a *API) applyForced(r *request) (done bool, err error) {
	if latency := a.latencies.draw(r.caller.Owner, r.Fault.Latency); latency > 0 && !r.waited {
		r.waited = true
		if r.Route.Creates() {
			// A body has to be sent within a certain time, and this wait is not the client's fault. What is wrong with it is said later.
			_, _ = r.readBody()
		}
		if err := a.Sleep(r.Connected(), latency); err != nil {
			return true, err
		}
		// The state of now is what counts, not that of before.
		r.found = found{}
		if err := a.Live.Refresh(r.Context()); err != nil {
			return true, err
		}
		a.readClock(r)
	}
	if r.Fault.Reset == exports.ResetBefore {
		return true, nil
	}
	return r.made.forced != nil, r.made.forced
}

// latencies draws latencies that depend on nothing but the seed, the key and how many were drawn before: a test that runs again waits as
// long again. Tests with different keys hardly disturb each other.
type latencies struct {
	seed  uint64
	drawn [256]atomic.Uint64 // by a digest of the key
}

func (l *latencies) draw(key string, from exports.Latency) time.Duration {
	if from == (exports.Latency{}) {
		return 0
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(key))
	digest := hash.Sum64()
	number := l.drawn[digest%uint64(len(l.drawn))].Add(1)
	return from.Draw(rand.New(rand.NewPCG(l.seed^digest, number*0x9e3779b97f4a7c15)))
}
