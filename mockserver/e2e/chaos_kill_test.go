//go:build unix

package e2e_test

import (
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func killsOfFile(c *chaos) {
	path := filepath.Join(c.TempDir(), "state.db")
	kills(c, path, testlevel.Count(5, 12, 25))
	state := must.Get(bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true}))(c)
	defer state.Close()
	err := state.View(func(tx *bbolt.Tx) error {
		for found := range tx.Check() {
			c.Errorf("after all kills the state file is damaged: %v", found)
		}
		return nil
	})
	if err != nil {
		c.Error(err)
	}
}

func killsOfDatabase(c *chaos, database *postgrestest.Server) { kills(c, database.Address(c), 5) }

// kills kills the program at random moments, sometimes once more while it starts, and starts it again on the same state.
func kills(c *chaos, state string, few int) {
	const mostAcknowledged = 80
	flags := []string{"--state", state, "--seed", "3", "--profiles", "100"}
	s := start(c, flags...)
	clientOf(c, s).freeze(noon)
	l := newLoad(c, s)
	for n := 0; c.again(n, few); n++ {
		l.awaitMore(1 + c.random.IntN(mostAcknowledged))
		l.begin()
		s.kill()
		if c.random.IntN(6) == 0 {
			killStarting(c, time.Duration(c.random.IntN(60))*time.Millisecond, flags...)
			c.figures.faults.Add(1)
		}
		s = start(c, flags...)
		l.moveTo(0, s)
		l.awaitReady(http.StatusOK)
		var now clockState
		clientOf(c, s).send(http.MethodGet, "/_mock/clock", "").decode(c, http.StatusOK, &now)
		if !now.Frozen || !now.Now.Equal(noon) {
			c.lose("the clock was frozen at %v, after kill %d it says %+v", noon, n, now)
		}
		l.checkRound(s)
		l.over()
	}
	l.verify(s)
	s.kill()
}

// killStarting kills a program that is about to start, wherever it has come to.
func killStarting(t testing.TB, after time.Duration, flags ...string) {
	t.Helper()
	s := launch(t, flags...)
	<-time.After(after)
	s.kill()
}
