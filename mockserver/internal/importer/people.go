package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// identity is what a row says of whom it is about.
type identity struct{ profile, custom string }

// key is the same for all rows about one person, as far as they tell; "": they do not.
func (who identity) key() string {
	switch {
	case who.custom != "":
		return "c" + who.custom
	case who.profile != "":
		return "p" + who.profile
	}
	return ""
}

// What a fragment is about, and how much it counts: what a snapshot says replaces what an event says in passing.
const (
	aboutPerson       = "person"
	aboutInstallation = "installation"
	aboutEvent        = "event"

	weak   = 0
	strong = 1
)

// fragment is what one row says of one person, installation or event.
type fragment struct {
	About    string
	Weight   int
	File     int
	Row      int64
	Profile  string
	Custom   string
	Nth      int     // among those of a row
	Platform string  // of the device of an event whose installation is not told
	Seen     members // flags of the installation when an event happened
	Members  members
}

// keep sorts a fragment under the person, or, where a row tells it, under the installation first.
func (i *importer) keep(who identity, installation string, f fragment, of *source) error {
	f.File, f.Row, f.Profile, f.Custom = of.file, of.row, who.profile, who.custom
	if installation == "" {
		return add(i.byPerson, who.key(), &f)
	}
	return add(i.byInstallation, installation, &f)
}

type sorter interface{ Add([]byte) error }

// add sorts a fragment by its key, then by weight, file and row.
func add(into sorter, key string, f *fragment) error {
	record := fmt.Appendf(nil, "%s\x00%d%08d%012d%06d", strings.ReplaceAll(key, "\x00", "\x01"), f.Weight, f.File, f.Row, f.Nth)
	return into.Add(f.append(append(record, 0)))
}

// groups calls visit with the fragments of each key.
func groups(from interface {
	Each(func([]byte) error) error
}, visit func(key string, group []fragment) error) error {
	var (
		key   string
		group []fragment
	)
	err := from.Each(func(record []byte) error {
		name, rest, _ := bytes.Cut(record, []byte{0})
		_, text, _ := bytes.Cut(rest, []byte{0})
		if string(name) != key && len(group) > 0 {
			if err := visit(key, group); err != nil {
				return err
			}
			group = group[:0]
		}
		key = string(name)
		f, err := decodeFragment(text)
		if err != nil {
			return err
		}
		group = append(group, f)
		return nil
	})
	if err != nil || len(group) == 0 {
		return err
	}
	return visit(key, group)
}

// findPeople finds out whose each installation is, and sorts what is known of it under them.
func (i *importer) findPeople() error {
	return groups(i.byInstallation, func(installation string, group []fragment) error {
		var who identity
		for _, f := range group { // the files of profiles are sure
			if f.Profile != "" {
				who = identity{f.Profile, f.Custom}
			}
		}
		for _, f := range group {
			if who.custom == "" && f.Custom != "" {
				who.custom = f.Custom
			}
		}
		key := who.key()
		if key == "" {
			key = "i" + installation
			i.loose.add(installation, group)
		}
		for at := range group {
			f := &group[at]
			f.Profile, f.Custom = who.profile, who.custom
			if err := add(i.byPerson, key, f); err != nil {
				return err
			}
		}
		return i.ctx.Err()
	})
}

// writePeople writes the rows about each person.
func (i *importer) writePeople() error {
	return groups(i.byPerson, func(_ string, group []fragment) error {
		p := person{profile: members{}, installations: map[string]*installation{}, told: i.told}
		if i.peopleListed {
			p.loose = &i.loose
		}
		for at := range group {
			p.know(&group[at])
		}
		for _, dated := range []bool{true, false} { // files without dates list what others tell
			for at := range group {
				if f := &group[at]; f.About == aboutEvent && dated == (f.Members[eventDate] != nil) {
					p.event(f)
				}
			}
		}
		p.findChanges(i.reasonsTold)
		return i.write(&p)
	})
}

// person is what is known of one.
type person struct {
	profile       members
	installations map[string]*installation
	listed        int // how many of them a snapshot lists
	events        []happened
	told          *told
	loose         *loose // nil: no file lists the profiles
}

// installation is what is known of one, and what its flags were at some time.
type installation struct {
	members
	place int // among those of the person, as a snapshot lists them
	seen  map[string]sight
}

// sight is what a flag was at a date.
type sight struct {
	date  string
	value json.RawMessage
}

// happened is an event, and how many rows of each file tell of it.
type happened struct {
	members members
	files   []int
}

// know notes what a fragment says of the person and an installation.
func (p *person) know(f *fragment) {
	if f.Profile != "" {
		p.profile.putText(profileID, f.Profile)
	}
	if f.Custom != "" {
		p.profile.putText(customID, f.Custom)
	}
	switch f.About {
	case aboutPerson:
		maps.Copy(p.profile, f.Members)
	case aboutInstallation:
		id := f.Members.text(installID)
		known := p.installations[id]
		if known == nil {
			known = &installation{members: members{}, place: math.MaxInt, seen: map[string]sight{}}
			p.installations[id] = known
		}
		if f.Weight == strong && known.place == math.MaxInt {
			p.listed++
			known.place = p.listed
		}
		maps.Copy(known.members, f.Members)
	}
}

// event notes an event. What two files say of one is put together: a push message is in the files of its campaign and in those of
// profiles. Rows of one file are as many events, and so are those of two files of which only one holds the hour of both.
func (p *person) event(f *fragment) {
	if len(f.Members[eventDate]) == 0 && slices.ContainsFunc(p.events, func(e happened) bool { return e.agrees(f.Members) }) {
		return // a file without dates lists it again
	}
	for at := range p.events {
		e := &p.events[at]
		if slices.Contains(e.files, f.File) || string(e.members[eventDate]) != string(f.Members[eventDate]) || !e.agrees(f.Members) ||
			!p.isOn(e.members.text(installID), f.Platform) ||
			!p.told.isOne(e.files, f.File, f.Members.text(eventType), f.Members.text(eventDate)) {
			continue
		}
		maps.Copy(e.members, f.Members)
		e.files = append(e.files, f.File)
		p.see(e.members.text(installID), f)
		return
	}
	made := maps.Clone(f.Members)
	if made.text(installID) == "" && needsInstallation(made) {
		made.putText(installID, p.installationOn(f))
	}
	p.see(made.text(installID), f)
	p.events = append(p.events, happened{made, []int{f.File}})
}

// needsInstallation reports whether an event happens on an installation.
func needsInstallation(event members) bool {
	kind := event.text(eventType)
	return strings.HasPrefix(kind, "push_") || strings.HasPrefix(kind, "inapp_") ||
		slices.ContainsFunc(flagsOfInstallations, func(name string) bool { return event[name] != nil })
}

// see notes what the flags of an installation were when an event happened.
func (p *person) see(id string, f *fragment) {
	of, date := p.installations[id], f.Members.text(eventDate)
	if of == nil || date == "" {
		return
	}
	note := func(name, date string, value json.RawMessage) {
		if known, is := of.seen[name]; !is || date < known.date {
			of.seen[name] = sight{date, value}
		}
	}
	for name, value := range f.Seen {
		note(name, date, value)
	}
	if reasons := string(f.Members["reasons"]); strings.Contains(reasons, "_TO_PUSH") ||
		strings.Contains(reasons, "_FROM_PUSH") { // before, it was otherwise
		note(isOptIn, strings.TrimSuffix(date, "Z"), flag(strings.Contains(reasons, "UNSUBSCRIBED")))
	}
}

// agrees reports whether no member that both have differs.
func (e *happened) agrees(other members) bool {
	for name, value := range other {
		if known, has := e.members[name]; has && string(known) != string(value) {
			return false
		}
	}
	return string(e.members[eventType]) == string(other[eventType])
}

// isOn reports whether an installation may be of a platform.
func (p *person) isOn(id, on string) bool {
	of := p.installations[id]
	return of == nil || on == "" || of.text(platform) == "" || of.text(platform) == on
}

// installationOn is the installation that an event of a platform happened on, as far as can be told: one that was there
// then, was started later, and had the consent that the event shows. If the person has none, it may be one that the person had, and that
// nobody has now; or else one is made.
func (p *person) installationOn(f *fragment) string {
	best, found := 0, ""
	date := f.Members.text(eventDate)
	for _, id := range p.inOrder() {
		of := p.installations[id]
		if !p.isOn(id, f.Platform) {
			continue
		}
		fits := 1
		if of.text("install_date") <= date {
			fits += 4
		}
		if last := of.text("last_start_date"); f.Members.text(eventType) != "push_open" || last == "" || strings.TrimSuffix(date, "Z") <= last {
			fits += 2
		}
		if string(of.members[isOptIn]) == string(f.Seen[isOptIn]) {
			fits++
		}
		if fits > best {
			best, found = fits, id
		}
	}
	if found != "" {
		return found
	}
	owner := cmp.Or(f.Profile, f.Custom)
	if found = p.loose.find(owner, f); found != "" {
		return found
	}
	found = owner + "-" + cmp.Or(f.Platform, "device")
	made := members{}
	made.putText(installID, found)
	made.putText(platform, f.Platform)
	p.installations[found] = &installation{members: made, place: math.MaxInt, seen: map[string]sight{}}
	return found
}

// inOrder are the installations as a snapshot lists them, then the others.
func (p *person) inOrder() []string {
	return slices.SortedFunc(maps.Keys(p.installations), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.installations[a].place, p.installations[b].place), cmp.Compare(a, b))
	})
}

// write writes the rows about a person, in the order in which a dataset takes them.
func (i *importer) write(p *person) error {
	if err := i.ctx.Err(); err != nil {
		return err
	}
	if i.counter != nil {
		i.counter.Begin()
	}
	if len(p.profile) > 0 {
		if err := i.row("profiles", p.profile, &i.summary.Profiles); err != nil {
			return err
		}
	}
	for _, id := range p.inOrder() {
		row := p.installations[id].members
		if len(p.profile) == 0 && p.loose == nil {
			delete(row, hasCustomID) // whether it has a profile is not known
		} else if on := p.loose.platformOf(id); on != "" {
			row.putText(platform, on)
		}
		for _, name := range []string{profileID, customID} {
			if known := p.profile[name]; known != nil {
				row[name] = known
			}
		}
		if err := i.row("installations", row, &i.summary.Installations); err != nil {
			return err
		}
	}
	for _, e := range p.events {
		if e.members.text(eventDate) == "" {
			e.members.putText(eventDate, i.latest)
		}
		if p.installations[e.members.text(installID)] == nil {
			for _, name := range []string{profileID, customID} {
				if known := p.profile[name]; known != nil {
					e.members[name] = known
				}
			}
		}
		if err := i.row("events", e.members, &i.summary.Events); err != nil {
			return err
		}
	}
	if i.mask.key == nil {
		return nil
	}
	return i.alike.end()
}

func (i *importer) row(kind string, row members, count *int64) error {
	if i.mask.key != nil {
		if err := errors.Join(i.mask.row(row), i.alike.row(kind, row)); err != nil {
			return err
		}
	}
	text, err := json.Marshal(row)
	if err != nil {
		return err
	}
	if *count++; i.counter != nil {
		if err := i.counter.Row(kind, text); err != nil {
			return err
		}
	}
	return i.put(kind, text)
}
