package exports

import (
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
)

// States are what an interface calls the statuses of an export.
type States struct {
	waiting, done, failed string
	running               []string // one after the other; none where exports wait until they end
	expired               string   // done, and the file is gone; empty: no other name
	words                 *strings.Replacer
}

func statesOf(listed []dialect.State) States {
	var s States
	for _, state := range listed {
		switch state.Role {
		case dialect.RoleWaiting:
			s.waiting = state.Name
		case dialect.RoleRunning:
			s.running = append(s.running, state.Name)
		case dialect.RoleDone:
			s.done = state.Name
		case dialect.RoleFailed:
			s.failed = state.Name
		case dialect.RoleExpired:
			s.expired = state.Name
		}
	}
	s.words = strings.NewReplacer(string(Created), s.waiting, string(Pending), s.Of(State{Status: Pending}), string(Success), s.done,
		string(Failed), s.failed)
	return s
}

// Stages is how many states an export runs through.
func (s States) Stages() int { return len(s.running) }

// Of is what the interface calls a state.
func (s States) Of(state State) string {
	switch {
	case state.Status == Created, state.Status == Pending && len(s.running) == 0: // the latter began in another dialect
		return s.waiting
	case state.Status == Pending:
		return s.running[min(state.Stage, len(s.running)-1)]
	case state.Status == Failed:
		return s.failed
	case state.FileExpired && s.expired != "":
		return s.expired
	}
	return s.done
}

// Done is the name of the good end.
func (s States) Done() string { return s.done }

// Failed is the name of the other one.
func (s States) Failed() string { return s.failed }

// Expired is the name of the good end when the file is gone; empty: it has none of its own.
func (s States) Expired() string { return s.expired }

// Underway are the names of the states before the end.
func (s States) Underway() []string { return append([]string{s.waiting}, s.running...) }

// In puts the names of the interface in the place of those of the specification.
func (s States) In(text string) string { return s.words.Replace(text) }
