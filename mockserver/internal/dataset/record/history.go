package record

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"

// Moment is when an event happened, and which of those of one second it is, in
// the order of loading.
type Moment struct {
	Second int64
	Number int32
}

// Before reports whether a moment is before another.
func (m Moment) Before(other Moment) bool {
	return m.Second < other.Second || m.Second == other.Second && m.Number < other.Number
}

// Change is a moment at which a fact became something.
type Change struct {
	When   Moment
	Flag   input.Flag
	State  bool
	Text   string
	Update bool
}

// History is the changes of one profile or installation, in order.
type History []Change

// Last is the latest change of a flag by the events up to one; nil: there is
// none.
func (h History) Last(of input.Flag, limit Moment) *Change {
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].Flag == of && !limit.Before(h[i].When) {
			return &h[i]
		}
	}
	return nil
}

// State is a flag after the events up to one; known is false when no event
// changes it. Before its first change a flag was the opposite of what it
// became.
func (h History) State(of input.Flag, limit Moment) (state, known bool) {
	if last := h.Last(of, limit); last != nil {
		return last.State, true
	}
	for i := range h {
		if h[i].Flag == of {
			return !h[i].State || h[i].Update, true
		}
	}
	return false, false
}

// At is what State and Last need of a history to answer for one event.
func (h History) At(limit Moment) (kept History) {
	for of := range input.Flags {
		if last := h.Last(of, limit); last != nil {
			kept = append(kept, *last)
			continue
		}
		for i := range h {
			if h[i].Flag == of {
				kept = append(kept, h[i])
				break
			}
		}
	}
	return kept
}

// Apply makes a desired change part of a history, unless it changes nothing,
// and returns the reason by which the exports know it. The row is that of the
// profile.
func (h *History) Apply(when Moment, wanted input.DesiredChange, row *input.Profile) (reason string, changed bool) {
	names := wanted.Flag.Reasons()
	var before *Change
	for i := len(*h) - 1; i >= 0 && before == nil; i-- {
		if past := &(*h)[i]; past.Flag == wanted.Flag && past.When.Before(when) {
			before = past
		}
	}
	made := Change{When: when, Flag: wanted.Flag, State: wanted.State, Text: wanted.Text}
	reason = wanted.Reason
	if reason == "" {
		reason = names[1]
		if wanted.State {
			reason = names[0]
			if names[2] != "" && hadAddress(row, wanted, before) {
				reason = names[2]
			}
		}
	}
	made.Update = wanted.State && reason == names[2] && reason != ""
	if before != nil && before.State == wanted.State && !made.Update {
		return "", false
	}
	if made.Update && wanted.Reason == "" && before != nil && before.Text == wanted.Text {
		return "", false
	}
	*h = append(*h, made)
	return reason, true
}

// hadAddress reports whether a profile had another address or number before.
func hadAddress(row *input.Profile, wanted input.DesiredChange, before *Change) bool {
	if before != nil {
		return before.State
	}
	if wanted.Flag == input.FlagEmail {
		return row.EmailAddress != "" && row.EmailAddress != wanted.Text
	}
	return row.PhoneNumber != "" && row.PhoneNumber != wanted.Text
}

// Channels are the channels of the reachability of profiles, in the order of
// the reasons of an event.
func Channels() [3]string { return [3]string{"email", "sms", "push"} }

// PushChannel is the place of push among them: its changes are those of an
// installation.
const PushChannel = 2
