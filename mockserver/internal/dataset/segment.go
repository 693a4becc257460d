package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
)

// logSegment is what was loaded between two resets. Its slices only grow, in
// the order of generations, so the state at any generation is a prefix of
// each.
type logSegment struct {
	since  int64 // generation
	origin string

	profiles         []profileName
	installations    []installationName
	profileRows      []versionOf[profileRow]
	installationRows []versionOf[installationRow]
	events           []eventOf

	identifiers

	faults faults
}

// identifiers finds profiles and installations by their identifiers.
type identifiers struct {
	byProfileID, byCustomID, byInstallID map[string]int32
	named                                map[int32]bool // profiles that a row gave a profile_id
	loadedProfiles, loadedInstallations  map[int32]bool // those that have a row
}

// profileName is a profile that rows refer to.
type profileName struct {
	since int64
	id    string // its profile_id, or one made of its custom_id
	// anonymous is 1 + the installation that it is there for; 0: it has a name.
	anonymous int32
}

type installationName struct {
	since int64
	id    string
}

// versionOf is a profile or an installation as it is from a generation on.
type versionOf[T profileRow | installationRow] struct {
	since int64
	of    int32
	owner int32 // profile of an installation
	at    int64 // moment of loading
	row   *T    // nil: only named by another row
	// profileID and customID are the names that a row gives a profile; empty
	// where it gives none.
	profileID, customID string
}

type eventOf struct {
	since                 int64
	time                  int64
	profile, installation int32 // -1: none named
	row                   *eventRow
}

func newLogSegment(since int64) *logSegment {
	return &logSegment{since: since, identifiers: identifiers{
		byProfileID: map[string]int32{}, byCustomID: map[string]int32{}, byInstallID: map[string]int32{},
		named: map[int32]bool{}, loadedProfiles: map[int32]bool{}, loadedInstallations: map[int32]bool{},
	}}
}

// load adds rows. With a checker it collects what is wrong with them in
// faults. The function that it returns takes everything out again.
func (e *logSegment) load(rows []Row, generation, at int64, check Synthetic) (undo func()) {
	a := builder{logSegment: e, generation: generation, at: at, check: check}
	lengths := [5]int{len(e.profiles), len(e.installations), len(e.profileRows), len(e.installationRows), len(e.events)}
	for i := range rows {
		if e.faults.full() {
			break
		}
		switch row := &rows[i]; row.Kind {
		case Profiles:
			a.addProfile(row)
		case Installations:
			a.addInstallation(row)
		default:
			a.addEvent(row)
		}
	}
	return func() {
		for _, name := range a.added {
			delete(name.in, name.key)
		}
		for _, mark := range a.marked {
			delete(mark.in, mark.entity)
		}
		e.profiles, e.installations = e.profiles[:lengths[0]], e.installations[:lengths[1]]
		e.profileRows, e.installationRows, e.events = e.profileRows[:lengths[2]], e.installationRows[:lengths[3]], e.events[:lengths[4]]
	}
}

// builder adds the rows of one batch to a segment.
type builder struct {
	*logSegment
	generation, at int64
	check          Synthetic // nil: the rows were accepted before
	added          []registeredName
	marked         []markedEntity
}

type markedEntity struct {
	in     map[int32]bool
	entity int32
}

func (a *builder) mark(in map[int32]bool, entity int32) {
	if !in[entity] {
		in[entity] = true
		a.marked = append(a.marked, markedEntity{in, entity})
	}
}

type registeredName struct {
	in  map[string]int32
	key string
}

func (a *builder) name(in map[string]int32, key string, entity int32) {
	if _, known := in[key]; !known {
		in[key] = entity
		a.added = append(a.added, registeredName{in, key})
	}
}

// profile finds the profile of two identifiers, one of which may be empty, and
// adds it if it is new. It is -1 when both are empty or when each is of
// another profile.
func (a *builder) profile(row *Row, profileID, customID string) int32 {
	byID, knownID := a.byProfileID[profileID]
	byCustom, knownCustom := a.byCustomID[customID]
	switch {
	case profileID == "" && customID == "":
		return -1
	case profileID != "" && customID != "" && knownID && knownCustom && byID != byCustom:
		a.refuse(row, "profile_id", "conflict", "profile_id %.80q and custom_id %.80q are two profiles already: name one of them, or load the profile with both before what names it",
			profileID, customID)
		return -1
	case profileID != "" && knownID:
		if customID != "" && !knownCustom {
			a.name(a.byCustomID, customID, byID)
			a.profileRows = append(a.profileRows, versionOf[profileRow]{since: a.generation, of: byID, at: a.at, customID: customID})
		}
		return byID
	case customID != "" && knownCustom:
		if profileID != "" {
			if a.named[byCustom] {
				a.refuse(row, "custom_id", "conflict", "custom_id %.80q is that of another profile already, not of profile_id %.80q: correct one of them, or reset the dataset",
					customID, profileID)
				return -1
			}
			a.mark(a.named, byCustom)
			a.name(a.byProfileID, profileID, byCustom)
			a.profileRows = append(a.profileRows, versionOf[profileRow]{since: a.generation, of: byCustom, at: a.at, profileID: profileID})
		}
		return byCustom
	}
	made := int32(len(a.profiles))
	id := profileID
	if id == "" {
		id = derivedID("profile_", "custom "+customID)
	} else {
		a.mark(a.named, made)
	}
	a.profiles = append(a.profiles, profileName{since: a.generation, id: id})
	a.profileRows = append(a.profileRows, versionOf[profileRow]{since: a.generation, of: made, at: a.at, customID: customID})
	a.name(a.byProfileID, id, made)
	if customID != "" {
		a.name(a.byCustomID, customID, made)
	}
	return made
}

func (a *builder) refuse(row *Row, member, keyword, format string, arguments ...any) {
	if a.check != nil {
		a.faults.add(row.at(member, keyword, format, arguments...))
	}
}

func (a *builder) addProfile(row *Row) {
	p := row.profile
	if profile := a.profile(row, p.ProfileID, p.CustomID); profile >= 0 {
		a.profileRows = append(a.profileRows, versionOf[profileRow]{since: a.generation, of: profile, at: a.at, row: p, customID: p.CustomID})
		a.mark(a.loadedProfiles, profile)
	}
}

func (a *builder) addInstallation(row *Row) {
	i := row.installation
	owner := a.profile(row, i.ProfileID, i.CustomID)
	installation, known := a.byInstallID[i.InstallID]
	if !known {
		installation = a.nameInstallation(i.InstallID)
	}
	if owner < 0 {
		owner = a.anonymous(installation)
	}
	a.installationRows = append(a.installationRows, versionOf[installationRow]{since: a.generation, of: installation, owner: owner, at: a.at, row: i})
	a.mark(a.loadedInstallations, installation)
}

func (a *builder) nameInstallation(id string) int32 {
	installation := int32(len(a.installations))
	a.installations = append(a.installations, installationName{since: a.generation, id: id})
	a.name(a.byInstallID, id, installation)
	return installation
}

// anonymous is the profile of an installation whose row names none.
func (a *builder) anonymous(installation int32) int32 {
	id := derivedID("profile_", "installation "+a.installations[installation].id)
	if profile, known := a.byProfileID[id]; known {
		return profile
	}
	profile := int32(len(a.profiles))
	a.profiles = append(a.profiles, profileName{since: a.generation, id: id, anonymous: installation + 1})
	a.profileRows = append(a.profileRows, versionOf[profileRow]{since: a.generation, of: profile, at: a.at})
	a.name(a.byProfileID, id, profile)
	return profile
}

func (a *builder) addEvent(row *Row) {
	event := row.event
	made := eventOf{since: a.generation, time: a.at, profile: -1, installation: -1, row: event}
	if event.Date.given {
		made.time = event.Date.second
	}
	made.profile = a.profile(row, event.ProfileID, event.CustomID)
	if event.InstallID != "" {
		installation, known := a.byInstallID[event.InstallID]
		if !known {
			installation = a.nameInstallation(event.InstallID)
			owner := made.profile
			if owner < 0 {
				owner = a.anonymous(installation)
			}
			a.installationRows = append(a.installationRows, versionOf[installationRow]{since: a.generation, of: installation, owner: owner, at: made.time})
		}
		made.installation = installation
	}
	a.refuseSynthetic(row, made)
	a.events = append(a.events, made)
}

// refuseSynthetic refuses an event that changes a synthetic entity: the
// synthetic world would go on as if it had not happened.
func (a *builder) refuseSynthetic(row *Row, made eventOf) {
	event := row.event
	_, ends := event.withdrawal()
	changes := ends || event.Type == "reachability" || event.Type == "tag_added" || event.Type == "tag_removed" || event.Type == "attribute_changed"
	if a.check == nil || !changes {
		return
	}
	const advice = "load one with that identifier first, which then takes its place, or one of your own"
	refuse := func(member, id string, loaded bool, named func(string) (int64, bool)) {
		if id == "" || loaded {
			return
		}
		if _, synthetic := named(id); synthetic {
			a.refuse(row, member, "synthetic", "%s %.80q is one of the synthetic world, which no event can change: %s", member, id, advice)
		}
	}
	refuse("install_id", event.InstallID, a.loadedInstallations[made.installation], a.check.InstallationByID)
	refuse("profile_id", event.ProfileID, a.loadedProfiles[made.profile], a.check.ProfileByID)
	refuse("custom_id", event.CustomID, a.loadedProfiles[made.profile], a.check.ProfileByCustomID)
}

// until is what the segment held at a generation. What is added later does not
// show in it.
func (e *logSegment) until(generation int64) *logSegment {
	return &logSegment{
		since: e.since, origin: e.origin,
		profiles:         beginning(e.profiles, generation, func(p *profileName) int64 { return p.since }),
		installations:    beginning(e.installations, generation, func(i *installationName) int64 { return i.since }),
		profileRows:      beginning(e.profileRows, generation, func(v *versionOf[profileRow]) int64 { return v.since }),
		installationRows: beginning(e.installationRows, generation, func(v *versionOf[installationRow]) int64 { return v.since }),
		events:           beginning(e.events, generation, func(v *eventOf) int64 { return v.since }),
	}
}

func beginning[T any](list []T, generation int64, since func(*T) int64) []T {
	length := sort.Search(len(list), func(i int) bool { return since(&list[i]) > generation })
	return list[:length:length]
}

// derivedID is an identifier that is a function of a text.
func derivedID(prefix, of string) string {
	sum := sha256.Sum256([]byte(of))
	return prefix + hex.EncodeToString(sum[:16])
}
