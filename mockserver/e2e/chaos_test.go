//go:build unix

package e2e_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// chaosVariable is the environment variable of TestChaos: how long each phase goes on, such as 1m. `make soak` sets it; without it
// each phase makes a few faults.
const chaosVariable = "TEST_CHAOS"

// chaos is one phase: what goes wrong while clients work, and what came of it.
type chaos struct {
	*testing.T
	name     string
	random   *rand.Rand
	duration time.Duration // 0: a few faults
	begun    time.Time
	took     time.Duration
	figures  figures
}

// figures are what a phase counts.
type figures struct {
	requests, faults atomic.Int64
	// announced are refusals with 503 and Retry-After while a fault lasted.
	announced atomic.Int64
	// lost are acknowledged exports that are not there afterwards, or have other bytes.
	lost atomic.Int64
	// wedged are requests without an answer, and servers that did not recover.
	wedged atomic.Int64
	// unasked are answers of 5xx, and connections that ended, for which no fault was the reason.
	unasked atomic.Int64
}

// TestChaos lets things go wrong while clients work: whatever was acknowledged must be there afterwards, every request must be
// answered, and no answer may be a 5xx that nothing explains. It ends with a table of what it did.
func TestChaos(t *testing.T) {
	straight(t, "it passes on what arrives whole, and this breaks what arrives")
	var duration time.Duration
	if text := os.Getenv(chaosVariable); text != "" {
		var err error
		if duration, err = time.ParseDuration(text); err != nil {
			t.Fatalf("%s: %v; it must be a duration such as 1m", chaosVariable, err)
		}
	}
	seed := testlevel.Seed(t)
	var database *postgrestest.Server // one for all phases that need it
	shared := func(c *chaos) *postgrestest.Server {
		c.Helper()
		if database == nil {
			var err error
			if database, err = postgrestest.Launch("fsync=off"); errors.Is(err, postgrestest.ErrUnavailable) {
				testlevel.Unavailable(c, err.Error())
			} else if err != nil {
				c.Fatal(err)
			}
			t.Cleanup(func() {
				must.Equal(t, database.Close(), nil, "the error")
			})
		}
		return database
	}
	var ran []*chaos
	type phase struct {
		name string
		run  func(*chaos)
	}
	phases := []phase{
		{"kill -9, file", killsOfFile},
		{"kill -9, PostgreSQL", func(c *chaos) { killsOfDatabase(c, shared(c)) }},
		{"disk full", fullDisk},
		{"disk read-only", readOnlyDisk},
		{"memory limit", memoryLimit},
		{"database restarts", func(c *chaos) { restarts(c, shared(c)) }},
		{"failover to read-only", func(c *chaos) { failovers(c, shared(c)) }},
		{"clock jumps", clockJumps},
		{"slow and vanishing clients", badClients},
		{"resets beside creations", resets},
		{"kill -9 behind a proxy", throughProxy},
	}
	if os.Getenv(raceVariable) != "" { // it takes a multiple of the memory
		phases = slices.DeleteFunc(phases, func(p phase) bool { return p.name == "memory limit" })
		t.Log("left out with the race detector: memory limit")
	}
	if duration == 0 {
		phases = testlevel.Some(t, testlevel.Count(2, len(phases), len(phases)), phases)
	}
	for _, phase := range phases {
		name := strings.ReplaceAll(phase.name, " ", "_")
		t.Run(name, func(t *testing.T) {
			c := &chaos{T: t, name: phase.name, duration: duration, begun: time.Now()}
			var own uint64 // of the phase, so that it is the same when it runs alone
			for _, char := range phase.name {
				own = own*31 + uint64(char)
			}
			c.random = rand.New(rand.NewPCG(seed, own))
			defer func() {
				if c.took = time.Since(c.begun); !t.Skipped() {
					ran = append(ran, c)
				}
				if f := &c.figures; f.lost.Load()+f.wedged.Load()+f.unasked.Load() > 0 {
					t.Errorf("%d lost, %d wedged, %d not asked for", f.lost.Load(), f.wedged.Load(), f.unasked.Load())
				}
				if t.Failed() {
					t.Logf("to run this alone: TEST_SEED=%d %s=%s go test ./mockserver/e2e -v -run 'TestChaos/^%s$'", seed, chaosVariable, duration, name)
				}
			}()
			phase.run(c)
		})
	}
	t.Log(table(ran))
}

// table shows the figures of phases, as Markdown.
func table(phases []*chaos) string {
	var out strings.Builder
	out.WriteString("| phase | time | requests | faults | refused, as announced | lost | wedged | 5xx not asked for |\n")
	out.WriteString("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, c := range phases {
		f := &c.figures
		fmt.Fprintf(&out, "| %s | %.0f s | %d | %d | %d | %d | %d | %d |\n", c.name, c.took.Seconds(),
			f.requests.Load(), f.faults.Load(), f.announced.Load(), f.lost.Load(), f.wedged.Load(), f.unasked.Load())
	}
	return out.String()
}

// again tells whether a phase makes another fault: a few of them, or as many as there is time for.
func (c *chaos) again(n, few int) bool {
	return !c.Failed() && (n < few || time.Since(c.begun) < c.duration)
}

// lose counts something that was acknowledged and is not there.
func (c *chaos) lose(format string, arguments ...any) {
	c.Helper()
	c.figures.lost.Add(1)
	c.Errorf("lost: "+format, arguments...)
}

// unasked counts an answer for which no fault was the reason.
func (c *chaos) unasked(format string, arguments ...any) {
	c.Helper()
	c.figures.unasked.Add(1)
	c.Errorf("not asked for: "+format, arguments...)
}

// await waits until a condition holds; when it never does, the server is wedged.
func (c *chaos) await(what string, holds func() bool) {
	c.Helper()
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for over := patient(); !holds(); <-ticker.C {
		if c.Failed() {
			c.FailNow()
		}
		if over() {
			c.figures.wedged.Add(1)
			c.Fatalf("after %v still not: %s", patience, what)
		}
	}
}
