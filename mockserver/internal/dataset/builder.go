package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
)

// builder adds the rows of one batch to a segment.
type builder struct {
	*logSegment
	at     int64
	check  Synthetic      // nil: the rows were accepted before
	marked []markedEntity // of those that were known before
	// declaring are the attributes that no row before had.
	declaring []string
	// The first that were known before the load.
	knownProfiles, knownInstallations int32
}

type markedEntity struct {
	in     *blocks.NumberSet
	entity int32
}

// add adds some of the rows.
func (a *builder) add(rows []input.Row) error {
	if err := a.lookUp(rows); err != nil {
		return err
	}
	for i := range rows {
		if a.faults.Full() {
			return errFull
		}
		a.declare(&rows[i])
		switch row := &rows[i]; row.Kind {
		case input.Profiles:
			a.addProfile(row)
		case input.Installations:
			a.addInstallation(row)
		default:
			a.addEvent(row)
		}
	}
	for _, list := range a.all() {
		if list.Err != nil {
			return list.Err
		}
	}
	return a.names.Relieve()
}

// lookUp finds everything that the rows name.
func (a *builder) lookUp(rows []input.Row) error {
	if a.names.InMemory() {
		return nil
	}
	for i := range rows {
		var profileID, customID, installID string
		switch row := &rows[i]; row.Kind {
		case input.Profiles:
			profileID, customID = row.Profile.ProfileID, row.Profile.CustomID
		case input.Installations:
			profileID, customID, installID = row.Installation.ProfileID, row.Installation.CustomID, row.Installation.InstallID
		default:
			profileID, customID, installID = row.Event.ProfileID, row.Event.CustomID, row.Event.InstallID
		}
		a.names.Want(byProfileID, profileID)
		a.names.Want(byCustomID, customID)
		a.names.Want(byInstallID, installID)
		if profileID == "" && customID != "" {
			a.names.Want(byProfileID, idOfCustom(customID))
		}
		if profileID == "" && customID == "" {
			a.names.Want(byProfileID, idOfInstallation(installID))
		}
	}
	return a.names.LookUp()
}

func (a *builder) mark(in *blocks.NumberSet, entity, known int32) {
	if !in.Has(entity) {
		in.Add(entity)
		if entity < known {
			a.marked = append(a.marked, markedEntity{in, entity})
		}
	}
}

func (a *builder) addProfileVersion(v profileVersion) {
	text := binary.AppendVarint(a.encoding[:0], int64(v.of))
	text = blocks.AppendText(blocks.AppendText(binary.AppendVarint(text, v.at), v.profileID), v.customID)
	if v.row != nil {
		v.row.Members(&a.described)
		text = input.AppendMembers(text, &a.described)
	}
	a.encoding = text
	a.profileRows.Add(text)
}

// decodeProfileVersion reads a version from the rest of the text.
func decodeProfileVersion(d *blocks.Decoder) profileVersion {
	return profileVersion{of: d.Int32(), at: d.Int(), profileID: d.Text(), customID: d.Text(), encoded: d.Rest()}
}

func (a *builder) addInstallationVersion(v installationVersion) {
	text := binary.AppendVarint(a.encoding[:0], int64(v.of))
	text = binary.AppendVarint(binary.AppendVarint(text, int64(v.owner)), v.at)
	if v.row != nil {
		v.row.Members(&a.described)
		text = input.AppendMembers(text, &a.described)
	}
	a.encoding = text
	a.installationRows.Add(text)
}

// decodeInstallationVersion reads a version from the rest of the text.
func decodeInstallationVersion(d *blocks.Decoder) installationVersion {
	return installationVersion{of: d.Int32(), owner: d.Int32(), at: d.Int(), encoded: d.Rest()}
}

func (a *builder) addLoadedEvent(e loadedEvent) {
	text := binary.AppendVarint(a.encoding[:0], e.time)
	text = binary.AppendVarint(binary.AppendVarint(text, int64(e.profile)), int64(e.installation))
	e.row.Members(&a.described)
	text = input.AppendMembers(text, &a.described)
	a.encoding = text
	a.events.Add(text)
}

// decodeLoadedEvent reads an event from the rest of the text.
func decodeLoadedEvent(d *blocks.Decoder) loadedEvent {
	e := loadedEvent{time: d.Int(), profile: d.Int32(), installation: d.Int32(), row: new(input.Event), encoded: d.Rest()}
	e.row.Decode(e.encoded)
	return e
}

func (a *builder) addProfileName(name profileName) int32 {
	a.encoding = binary.AppendVarint(blocks.AppendText(a.encoding[:0], name.id), int64(name.anonymous))
	a.profiles.Add(a.encoding)
	return int32(a.profiles.Count) - 1
}

func decodeProfileName(d *blocks.Decoder) profileName {
	return profileName{id: d.Text(), anonymous: d.Int32()}
}

// profile finds the profile of two identifiers, one of which may be empty, and
// adds it if it is new. It is -1 when both are empty or when each is of
// another profile.
func (a *builder) profile(row *input.Row, profileID, customID string) int32 {
	byID, knownID := a.names.Get(byProfileID, profileID)
	byCustom, knownCustom := a.names.Get(byCustomID, customID)
	switch {
	case profileID == "" && customID == "":
		return -1
	case profileID != "" && customID != "" && knownID && knownCustom && byID != byCustom:
		a.refuse(row, "profile_id", "conflict", "profile_id %.80q and custom_id %.80q are two profiles already: name one of them, or load the profile with both before what names it",
			profileID, customID)
		return -1
	case profileID != "" && knownID:
		if customID != "" && !knownCustom {
			a.names.Set(byCustomID, customID, byID)
			a.addProfileVersion(profileVersion{of: byID, at: a.at, customID: customID})
		}
		return byID
	case customID != "" && knownCustom:
		if profileID != "" {
			if a.marks.named.Has(byCustom) {
				a.refuse(row, "custom_id", "conflict", "custom_id %.80q is that of another profile already, not of profile_id %.80q: correct one of them, or reset the dataset",
					customID, profileID)
				return -1
			}
			a.mark(&a.marks.named, byCustom, a.knownProfiles)
			a.names.Set(byProfileID, profileID, byCustom)
			a.addProfileVersion(profileVersion{of: byCustom, at: a.at, profileID: profileID})
		}
		return byCustom
	}
	id := profileID
	if id == "" {
		id = idOfCustom(customID)
	}
	made := a.addProfileName(profileName{id: id})
	if profileID != "" {
		a.mark(&a.marks.named, made, a.knownProfiles)
	}
	a.addProfileVersion(profileVersion{of: made, at: a.at, customID: customID})
	a.names.Set(byProfileID, id, made)
	if customID != "" {
		a.names.Set(byCustomID, customID, made)
	}
	return made
}

func (a *builder) refuse(row *input.Row, member, keyword, format string, arguments ...any) {
	if a.check != nil {
		a.faults.Add(row.FaultAt(member, keyword, format, arguments...))
	}
}

func (a *builder) addProfile(row *input.Row) {
	p := row.Profile
	if profile := a.profile(row, p.ProfileID, p.CustomID); profile >= 0 {
		a.addProfileVersion(profileVersion{of: profile, at: a.at, row: p, customID: p.CustomID})
		a.mark(&a.marks.loadedProfiles, profile, a.knownProfiles)
	}
}

func (a *builder) addInstallation(row *input.Row) {
	i := row.Installation
	owner := a.profile(row, i.ProfileID, i.CustomID)
	installation, known := a.names.Get(byInstallID, i.InstallID)
	if !known {
		installation = a.nameInstallation(i.InstallID)
	}
	if owner < 0 {
		owner = a.anonymous(installation, i.InstallID)
	}
	a.addInstallationVersion(installationVersion{of: installation, owner: owner, at: a.at, row: i})
	a.mark(&a.marks.loadedInstallations, installation, a.knownInstallations)
}

func (a *builder) nameInstallation(id string) int32 {
	installation := int32(a.installations.Count)
	a.encoding = blocks.AppendText(a.encoding[:0], id)
	a.installations.Add(a.encoding)
	a.names.Set(byInstallID, id, installation)
	return installation
}

// anonymous is the profile of an installation whose row names none.
func (a *builder) anonymous(installation int32, installID string) int32 {
	id := idOfInstallation(installID)
	if profile, known := a.names.Get(byProfileID, id); known {
		return profile
	}
	profile := a.addProfileName(profileName{id: id, anonymous: installation + 1})
	a.addProfileVersion(profileVersion{of: profile, at: a.at})
	a.names.Set(byProfileID, id, profile)
	return profile
}

func (a *builder) addEvent(row *input.Row) {
	event := row.Event
	made := loadedEvent{time: a.at, profile: -1, installation: -1, row: event}
	if event.Date.Given {
		made.time = event.Date.Second
	}
	made.profile = a.profile(row, event.ProfileID, event.CustomID)
	if event.InstallID != "" {
		installation, known := a.names.Get(byInstallID, event.InstallID)
		if !known {
			installation = a.nameInstallation(event.InstallID)
			owner := made.profile
			if owner < 0 {
				owner = a.anonymous(installation, event.InstallID)
			}
			a.addInstallationVersion(installationVersion{of: installation, owner: owner, at: made.time})
		}
		made.installation = installation
	}
	a.refuseSynthetic(row, made)
	a.addLoadedEvent(made)
}

// refuseSynthetic refuses an event that changes a synthetic entity: the
// synthetic world would go on as if it had not happened.
func (a *builder) refuseSynthetic(row *input.Row, made loadedEvent) {
	event := row.Event
	_, ends := event.Withdrawal()
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
	refuse("install_id", event.InstallID, a.marks.loadedInstallations.Has(made.installation), a.check.InstallationByID)
	refuse("profile_id", event.ProfileID, a.marks.loadedProfiles.Has(made.profile), a.check.ProfileByID)
	refuse("custom_id", event.CustomID, a.marks.loadedProfiles.Has(made.profile), a.check.ProfileByCustomID)
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
