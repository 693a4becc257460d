package dataset

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// builder adds the rows of one batch to a segment.
type builder struct {
	*logSegment
	at    int64
	check bool // the rows were not accepted before
	drawn *world.World
	named []named // of the rows that are being added
}

// named are the identifiers that a row names. One that is not given is empty. The profile of a custom_id alone has an identifier that
// follows from it, under which it is found.
type named struct{ profileID, customID, ofCustom, installID string }

// add adds some of the rows.
func (a *builder) add(rows []input.Row) error {
	a.named = a.named[:0]
	for i := range rows {
		var n named
		if n.profileID, n.customID, n.installID = rows[i].Names(); n.customID != "" {
			n.ofCustom = idOfCustom(n.customID)
		}
		a.named = append(a.named, n)
	}
	if err := a.lookUp(rows); err != nil {
		return err
	}
	for i := range rows {
		if a.faults.Full() {
			return errFull
		}
		a.declared.declare(&rows[i])
		switch row := &rows[i]; row.Kind {
		case input.Profiles:
			a.addProfile(row, a.named[i])
		case input.Installations:
			a.addInstallation(row, a.named[i])
		default:
			a.addEvent(row, a.named[i])
		}
	}
	if a.entries.Err != nil {
		return a.entries.Err
	}
	return a.names.Relieve()
}

// lookUp finds everything that the rows name.
func (a *builder) lookUp(rows []input.Row) error {
	if a.names.InMemory() {
		return nil
	}
	for i, n := range a.named {
		a.names.Want(byProfileID, n.profileID)
		a.names.Want(byProfileID, n.ofCustom)
		a.names.Want(byInstallID, n.installID)
		if rows[i].Kind == input.Installations && n.profileID+n.customID == "" {
			a.names.Want(byProfileID, idOfInstallation(n.installID))
		}
	}
	return a.names.LookUp()
}

// entry adds an entry, with a row; nil: another one names it.
func (a *builder) entry(e entry, row *input.Row) {
	if a.encoding = e.append(a.encoding[:0]); row != nil {
		a.encoding = row.Append(a.encoding)
	}
	a.entries.Add(a.encoding)
}

// newProfile is the number of a profile that was not there before; installation is the one that it is there for, if it has no name.
func (a *builder) newProfile(id, customID string, installation int32) int32 {
	a.profiles++
	a.entry(entry{kind: ofProfile, profile: a.profiles - 1, installation: installation, at: a.at, id: id, customID: customID}, nil)
	a.names.Set(byProfileID, id, a.profiles-1)
	return a.profiles - 1
}

// profile finds the profile of two identifiers, one of which may be empty, and adds it if it is new. It is -1 when both are empty or
// when each is of another profile.
func (a *builder) profile(row *input.Row, n named) int32 {
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

func (a *builder) refuse(row *input.Row, member, keyword, format string, arguments ...any) {
	if a.check {
		a.faults.Add(row.FaultAt(member, keyword, format, arguments...))
	}
}

func (a *builder) addProfile(row *input.Row, n named) {
	if profile := a.profile(row, n); profile >= 0 {
		a.entry(entry{kind: ofProfile, profile: profile, installation: -1, at: a.at, customID: n.customID}, row)
		if a.profileMarks.set(profile, isLoaded) {
			a.loadedProfiles++
		}
	}
}

func (a *builder) addInstallation(row *input.Row, n named) {
	e := entry{kind: ofInstallation, profile: a.profile(row, n), at: a.at}
	a.installation(&e, n.installID)
	a.entry(e, row)
	if a.installationMarks.set(e.installation, isLoaded) {
		a.loadedInstallations++
	}
}

// installation gives an entry the number of an installation, which is new if it was not there before, and the profile that is there
// for it, if there is no other.
func (a *builder) installation(e *entry, id string) {
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

func (a *builder) addEvent(row *input.Row, n named) {
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
func (a *builder) refuseSynthetic(row *input.Row, made entry) {
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
