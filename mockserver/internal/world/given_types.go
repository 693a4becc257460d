package world

import "time"

// Given are people who were given, and not drawn: those of a dataset. They are safe for concurrent use.
type Given interface {
	// People is how many there are.
	People() int64
	// Visit gives those from a number on, and before another one, in their order; not whole, they come without events.
	Visit(from, to int64, whole bool, visit func(*GivenPerson))
	// Derived keeps what is made of them as long as they live, once for each key.
	Derived(key string, make func() any) any
}

// Values are those of a given row, by the names of facts: a text, or a number. Times are seconds, and flags 0 and 1.
type Values interface {
	Given(fact string) (text string, number int64, is bool)
	// Member is a member that has no fact.
	Member(name string) (value any, is bool)
}

// GivenPerson is somebody who was given: a person of their own, or events and installations of one of the world.
type GivenPerson struct {
	Number       int64 // among the given
	ID, CustomID string
	Loaded       bool // there is a row of the person; else others name it
	// Unnamed says that the person is there for an installation alone, and InstallationID which one; empty: somebody else has it.
	Unnamed        bool
	InstallationID string
	Values         Values
	Segments       []string
	Email, Phone   string
	// EmailConsent and SMSConsent are whether marketing is welcome before any event says so; nil: that is not known.
	EmailConsent, SMSConsent *bool
	// Attribute is a custom attribute after the events up to one.
	Attribute     func(name string, at int64, nth int32) any
	Installations []GivenInstallation
	Events        []GivenEvent // in order
}

// GivenInstallation is an installation of a given person.
type GivenInstallation struct {
	ID        string
	Loaded    bool
	Elsewhere bool // it belongs to somebody else, and an event of the person names it
	Values    Values
	Known     int64 // when it was loaded
	// OptIn, Reachable and Linked are its flags before any event says so; nil: that is not known.
	OptIn, Reachable, Linked *bool
}

// GivenEvent is an event of a given person, of one of their installations, or of both.
type GivenEvent struct {
	At            int64
	Nth           int32 // among all events, in the order of loading
	Key           uint64
	Type          string
	OfPerson      bool
	OfDevice      bool // the installation belongs to the person
	Device        int  // in Installations; -1: none
	Values        Values
	Campaign      string // or group; at most one is set
	Group         string
	Orchestration string
	Changes       []GivenChange
}

// GivenChange is a change that an event asks for.
type GivenChange struct {
	Flag   GivenFlag
	State  bool
	Text   string // the address or number, where one is given
	Reason string // empty: it follows from the state before
}

// GivenFlag is a state that events change.
type GivenFlag uint8

// The states that events change, those of installations first.
const (
	FlagReachable GivenFlag = iota
	FlagOptIn
	FlagLinked
	FlagEmail
	FlagEmailConsent
	FlagPhone
	FlagSMSConsent
)

// Own are the given people of a view.
type Own struct {
	People Given
	// Only leaves out what was drawn.
	Only bool
	// From is the beginning of the window; given events are never late.
	From time.Time
	// Campaign and Group are the token or the group that the view is about; at most one is set.
	Campaign, Group string
	// Wire turns the type of an event into its name in the journey.
	Wire func(eventType string) string
}

// givenPeople are the given people of a view, and the people of the world that they are.
type givenPeople struct {
	Own
	from int64
	*standIns
}

// standIns say which people of the world given ones are. It takes memory for these alone.
type standIns struct {
	people map[int64][]int64 // by number: those of the given ones that are the same person, the first of which is shown
	lost   map[int64]uint8   // installations that a given row takes the place of
}

// owned is what a person has who was given.
type owned struct {
	given  *GivenPerson
	isOwn  bool // nothing was drawn of them; else given rows come beside what a person of the world does
	hidden bool // a person of the world who is not there yet
	// began are the addresses and consents before any change.
	began     [channelPush]struct{ present, consent, known bool }
	addresses [channelPush][]string // one after the other; empty: that of the row
	places    []int                 // of the given installations, among all
	told      []told                // by event
	upTo      int32                 // the last event of a second that rows show
	active    int64                 // when anything was done last
}

type told struct {
	device  bool          // the state of its installation
	reasons [channels]int // 0: none
}
