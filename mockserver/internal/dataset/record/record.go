// Package record holds what is known of a profile, an installation or an event of
// a dataset once rows are joined: its row, what events changed of it and when,
// and what they left behind; and how all that is written into blocks.
package record

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// Profile is a profile that was loaded, or that another row refers to.
type Profile struct {
	Number       int32
	ID, CustomID string
	Anonymous    int32 // 1 + the installation it is there for; 0: it has a name
	Loaded       bool  // it has a row
	Detail       Detail
	ProfileData
	At      int64 // when it was first loaded or named
	History History
	Traces  TraceList
	// Installations are those of it, in the order of loading.
	Installations []Installation
}

// ProfileData is the row of a profile.
type ProfileData struct {
	Encoded    string         // empty: not loaded
	row        *input.Profile // once somebody asks
	attributes map[string]any // the same
}

// Detail is how much of a profile is kept beside something else.
type Detail byte

// The details of a profile.
const (
	Whole    Detail = iota // everything
	AtEvent                // what an event changes; not its attributes and installations
	NameOnly               // identifiers
)

// Installation is an installation that was loaded, or that an event refers to.
type Installation struct {
	Number  int32
	ID      string
	Owner   int32
	Encoded string              // the row; empty: not loaded
	row     *input.Installation // the same, once somebody asks
	At      int64
	History History
	Traces  TraceList
}

// Event is one event, with what it changed.
type Event struct {
	*input.Event          // nil: not decoded yet
	Encoded               string
	Index                 int32 // among the events of a file
	When                  Moment
	Profile, Installation int32         // installation -1: none
	Legacy                bool          // a flag of the installation changed
	ReasonSets            [3]uint8      // by channel, see Channels; 0: none
	Of                    *Profile      // as the event left it
	On                    *Installation // the same; nil: none
}

// Value is the value of a custom attribute that was loaded.
func (p *Profile) Value(name string) any {
	if raw := p.Given().Attributes; p.attributes == nil && len(raw) > 0 {
		_ = input.DecodeExact(raw, &p.attributes, false) // it was decoded when it was read
	}
	return p.attributes[name]
}

// Has reports whether an installation is one of a profile.
func (p *Profile) Has(installation int32) bool {
	for i := range p.Installations {
		if p.Installations[i].Number == installation {
			return true
		}
	}
	return false
}

var noInstallationRow input.Installation

// Given is the row of an installation; an empty one when none was loaded.
func (in *Installation) Given() *input.Installation {
	if in.Encoded == "" {
		return &noInstallationRow
	}
	if in.row == nil {
		in.row = new(input.Installation)
		in.row.Decode(in.Encoded)
	}
	return in.row
}

// Given is the row of a profile; an empty one when none was loaded.
func (p *Profile) Given() *input.Profile {
	if p.Encoded == "" {
		return &noProfileRow
	}
	if p.row == nil {
		p.row = new(input.Profile)
		p.row.Decode(p.Encoded)
	}
	return p.row
}

var noProfileRow input.Profile

// addresses are those of the row of a profile.
func (p *Profile) addresses() (email, phone string) {
	switch {
	case p.row != nil:
		return p.row.EmailAddress, p.row.PhoneNumber
	case p.Encoded == "":
		return "", ""
	}
	return input.Addresses(p.Encoded)
}

// Address is the e-mail address or the phone number of a profile after the
// events up to one; has is false when it has none, and text is empty when it
// has one that no row gives.
func (p *Profile) Address(limit Moment, of input.Flag) (text string, has bool) {
	email, phone := p.addresses()
	if text = email; of == input.FlagPhone {
		text = phone
	}
	state, known := p.History.State(of, limit)
	if !known {
		return text, text != ""
	}
	if last := p.History.Last(of, limit); last != nil && last.Text != "" {
		text = last.Text
	}
	return text, state
}
