package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// named are the people and installations that rows have named since a reset: numbers by identifiers, and a few bits of each.
type named struct {
	names *blocks.Index
	known
}

// known is what is known beside the identifiers. A copy of it stays as it was.
type known struct {
	// by the number of a profile or an installation
	profileMarks, installationMarks marks
	// how many profiles and installations have a number, how many of these a row, and how many events there are
	profiles, installations, loadedProfiles, loadedInstallations, events int32
	attributes                                                           []string // names of custom ones, sorted
}

// The spaces of identifiers.
const (
	byProfileID byte = iota
	byInstallID
)

// marks are bits for each number.
type marks []byte

const (
	isNamed  byte = 1 << iota // a row gave it a profile_id
	isLoaded                  // it has a row
)

func (m marks) has(number int32, mark byte) bool {
	return number >= 0 && int(number) < len(m) && m[number]&mark != 0
}

// set marks a number, and reports whether it was not marked before.
func (m *marks) set(number int32, mark byte) bool {
	if m.has(number, mark) {
		return false
	}
	if grown := int(number) + 1 - len(*m); grown > 0 {
		*m = append(*m, make([]byte, grown)...)
	}
	(*m)[number] |= mark
	return true
}

func newNamed(kept blocks.Store) *named { return &named{names: blocks.NewIndex(kept)} }

// begin begins a load; undo takes it out again.
func (n *named) begin() (undo func() error) {
	was := n.known
	n.profileMarks, n.installationMarks = slices.Clone(was.profileMarks), slices.Clone(was.installationMarks)
	n.names.Begin()
	return func() error {
		n.known = was
		return n.names.Undo()
	}
}

// maxDeclared is how many names of attributes are remembered of a dataset.
const maxDeclared = 10_000

// declare notes the custom attributes that a row has or changes.
func (k *known) declare(row *input.Row) {
	switch row.Kind {
	case input.Profiles:
		for _, name := range row.Attributes() {
			k.attribute(name)
		}
	case input.Events:
		k.attribute(row.Get("attribute"))
		k.attribute(row.Get("collection"))
	}
}

func (k *known) attribute(name string) {
	at, is := slices.BinarySearch(k.attributes, name)
	if !is && name != "" && len(k.attributes) < maxDeclared {
		k.attributes = slices.Insert(slices.Clone(k.attributes), at, name)
	}
}

// loader adds rows to those who are named.
type loader struct {
	*named
	at     int64
	drawn  *world.World
	check  bool // the rows were not accepted before
	faults input.Faults
	to     *gatherer // nil: nobody asks for the people
	rows   []identifiers
}

// identifiers are those that a row names. One that is not given is empty. The profile of a custom_id alone has an identifier that
// follows from it, under which it is found.
type identifiers struct{ profileID, customID, ofCustom, installID string }

var errFull = errors.New("there are more faults than are reported: reading on is of no use")

// load adds rows, or says what is wrong with them.
func (a *loader) load(ctx context.Context, rows input.Source) error {
	if err := rows.Each(ctx, a.add); err != nil && !errors.Is(err, errFull) {
		return err
	}
	return a.faults.Err()
}

// add adds some of the rows.
func (a *loader) add(rows []input.Row) error {
	a.rows = a.rows[:0]
	for i := range rows {
		var n identifiers
		if n.profileID, n.customID, n.installID = rows[i].Names(); n.customID != "" {
			n.ofCustom = idOfCustom(n.customID)
		}
		a.rows = append(a.rows, n)
		a.names.Want(byProfileID, n.profileID)
		a.names.Want(byProfileID, n.ofCustom)
		a.names.Want(byInstallID, n.installID)
		if rows[i].Kind == input.Installations && n.profileID+n.customID == "" {
			a.names.Want(byProfileID, idOfInstallation(n.installID))
		}
	}
	if err := a.names.LookUp(); err != nil {
		return err
	}
	for i := range rows {
		if a.faults.Full() {
			return errFull
		}
		a.declare(&rows[i])
		switch row := &rows[i]; row.Kind {
		case input.Profiles:
			a.addProfile(row, a.rows[i])
		case input.Installations:
			a.addInstallation(row, a.rows[i])
		default:
			a.addEvent(row, a.rows[i])
		}
	}
	if a.to != nil && a.to.err != nil {
		return a.to.err
	}
	return a.names.Relieve()
}

// entry tells whoever asks for people of an entry, with a row; nil: another one names it.
func (a *loader) entry(e entry, row *input.Row) {
	if a.to != nil {
		a.to.take(&e, row)
	}
}

// newProfile is the number of a profile that was not there before; installation is the one that it is there for, if it has no name.
func (a *loader) newProfile(id, customID string, installation int32) int32 {
	a.profiles++
	a.entry(entry{kind: ofProfile, profile: a.profiles - 1, installation: installation, at: a.at, id: id, customID: customID}, nil)
	a.names.Set(byProfileID, id, a.profiles-1)
	return a.profiles - 1
}

// profile finds the profile of two identifiers, one of which may be empty, and adds it if it is new. It is -1 when both are empty or
// when each is of another profile.
func (a *loader) profile(row *input.Row, n identifiers) int32 {
	byID, knownID := a.names.Get(byProfileID, n.profileID)
	byCustom, knownCustom := a.names.Get(byProfileID, n.ofCustom)
	switch {
	case n.profileID == "" && n.customID == "":
		return -1
	case knownID && knownCustom && byID != byCustom:
		a.refuse(row, "profile_id", "conflict",
			"profile_id %.80q and custom_id %.80q are two profiles already: name one of them, or load the profile with both before what names it",
			n.profileID, n.customID)
		return -1
	case knownID:
		if n.customID != "" && !knownCustom {
			a.names.Set(byProfileID, n.ofCustom, byID)
			a.entry(entry{kind: ofProfile, profile: byID, installation: -1, at: a.at, customID: n.customID}, nil)
		}
		return byID
	case knownCustom:
		if n.profileID != "" {
			if a.profileMarks.has(byCustom, isNamed) {
				a.refuse(row, "custom_id", "conflict",
					"custom_id %.80q is that of another profile already, not of profile_id %.80q: correct one of them, or reset the dataset",
					n.customID, n.profileID)
				return -1
			}
			a.profileMarks.set(byCustom, isNamed)
			a.names.Set(byProfileID, n.profileID, byCustom)
			a.entry(entry{kind: ofProfile, profile: byCustom, installation: -1, at: a.at, id: n.profileID}, nil)
		}
		return byCustom
	case n.profileID == "":
		return a.newProfile(n.ofCustom, n.customID, -1)
	}
	made := a.newProfile(n.profileID, n.customID, -1)
	a.profileMarks.set(made, isNamed)
	a.names.Set(byProfileID, n.ofCustom, made)
	return made
}

func (a *loader) refuse(row *input.Row, member, keyword, format string, arguments ...any) {
	if a.check {
		a.faults.Add(row.FaultAt(member, keyword, format, arguments...))
	}
}

func (a *loader) addProfile(row *input.Row, n identifiers) {
	if profile := a.profile(row, n); profile >= 0 {
		a.entry(entry{kind: ofProfile, profile: profile, installation: -1, at: a.at, customID: n.customID}, row)
		if a.profileMarks.set(profile, isLoaded) {
			a.loadedProfiles++
		}
	}
}

func (a *loader) addInstallation(row *input.Row, n identifiers) {
	e := entry{kind: ofInstallation, profile: a.profile(row, n), at: a.at}
	a.installation(&e, n.installID)
	a.entry(e, row)
	if a.installationMarks.set(e.installation, isLoaded) {
		a.loadedInstallations++
	}
}

// installation gives an entry the number of an installation, which is new if it was not there before, and the profile that is there
// for it, if there is no other.
func (a *loader) installation(e *entry, id string) {
	number, known := a.names.Get(byInstallID, id)
	if !known {
		number, e.id = a.installations, id
		a.installations++
		a.names.Set(byInstallID, id, number)
	}
	e.installation = number
	if e.profile >= 0 {
		return
	}
	unnamed := idOfInstallation(id)
	if profile, is := a.names.Get(byProfileID, unnamed); is {
		e.profile = profile
	} else {
		e.profile = a.newProfile(unnamed, "", number)
	}
}

func (a *loader) addEvent(row *input.Row, n identifiers) {
	made := entry{kind: ofEvent, at: a.at, installation: -1, profile: a.profile(row, n)}
	if second, given := row.Date("date"); given {
		made.at = second
	}
	if n.installID != "" {
		number, known := a.names.Get(byInstallID, n.installID)
		if !known {
			on := entry{kind: ofInstallation, profile: made.profile, at: made.at}
			a.installation(&on, n.installID)
			a.entry(on, nil)
			number = on.installation
		}
		made.installation = number
	}
	a.refuseSynthetic(row, made)
	a.entry(made, row)
	a.events++
}

// refuseSynthetic refuses an event that changes a synthetic entity: the synthetic world would go on as if it had not happened.
func (a *loader) refuseSynthetic(row *input.Row, made entry) {
	if !a.check || a.drawn == nil {
		return
	}
	switch row.Type() {
	case "email_unsubscribed", "sms_unsubscribed", "reachability", "tag_added", "tag_removed", "attribute_changed":
	default:
		return
	}
	const advice = "load one with that identifier first, which then takes its place, or one of your own"
	refuse := func(member string, loaded bool, named func(string) (int64, bool)) {
		id := row.Get(member)
		if id == "" || loaded {
			return
		}
		if _, synthetic := named(id); synthetic {
			a.refuse(row, member, "synthetic", "%s %.80q is one of the synthetic world, which no event can change: %s", member, id, advice)
		}
	}
	refuse("install_id", a.installationMarks.has(made.installation, isLoaded), func(id string) (int64, bool) {
		person, _, is := a.drawn.InstallationByID(id)
		return person, is
	})
	refuse("profile_id", a.profileMarks.has(made.profile, isLoaded), a.drawn.ProfileByID)
	refuse("custom_id", a.profileMarks.has(made.profile, isLoaded), a.drawn.ProfileByCustomID)
}

func idOfCustom(customID string) string { return derivedID("profile_", "custom "+customID) }

func idOfInstallation(installID string) string {
	return derivedID("profile_", "installation "+installID)
}

// derivedID is an identifier that is a function of a text.
func derivedID(prefix, of string) string {
	sum := sha256.Sum256([]byte(of))
	return prefix + hex.EncodeToString(sum[:16])
}
