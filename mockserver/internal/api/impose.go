package api

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// impose does what was decided to happen before a request is worked on: it
// waits, and refuses. done means that there is nothing to work on.
func (s *Service) impose(r *request) (done bool, err error) {
	answer := r.decision.answer
	if r.decision.latency = s.latencies.draw(r.caller.owner, answer.Latency); r.decision.latency > 0 {
		if r.route.creates() {
			// A body has to be sent within a certain time, and this wait is not
			// the client's fault. What is wrong with it is said later.
			_, _ = r.readBody()
		}
		if err := s.sleep(r.Context(), r.decision.latency); err != nil {
			return true, err
		}
		// The state of now is what counts, not that of before.
		r.record, r.recordError, r.recordID = nil, nil, ""
		if err := s.freshen(r.Context()); err != nil {
			return true, err
		}
		s.readClock(r)
	}
	if answer.Reset == exports.ResetBefore {
		return true, nil
	}
	if r.forced != nil {
		return true, r.forced
	}
	return false, nil
}

// readClock reads the clock of the key of a request, or, behind a link, of the
// key that made the export.
func (s *Service) readClock(r *request) {
	key := r.caller.owner
	if r.route.Credential == SignedLink {
		if record := s.about(r); record != nil {
			key = record.Owner
		}
	}
	r.now = s.clocks.Of(key).Now()
}

// latencies draws latencies that depend on nothing but the seed, the key and
// how many were drawn before: a test that runs again waits as long again.
// Tests with different keys hardly disturb each other.
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

// sleep waits in real time.
func sleep(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
