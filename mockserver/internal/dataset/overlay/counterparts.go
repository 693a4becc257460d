package overlay

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/record"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// counterparts maps loaded profiles and installations to the synthetic ones
// with the same identifier, by number; what is not in it has none. A row that was
// loaded replaces the synthetic entity. One that is only named by other rows is
// the synthetic entity: its facts are those of the world, and only its events
// are loaded. It takes memory for those that have a counterpart, so at most for
// the whole population.
type counterparts struct {
	profiles, installations map[int32]counterpart
	// aliases are all names of a synthetic profile that has several.
	aliases map[int64][]int32
	// The reverse: the loaded profile or installation of a synthetic one.
	loadedProfile, loadedInstallation map[int64]int32
}

// counterpart is the synthetic entity of a loaded one.
type counterpart struct {
	number int64
	loaded bool // the loaded one has a row
	alias  bool // it is another name of a synthetic profile that has one already
}

// counterpartsIn is made once for each population.
func counterpartsIn(s *dataset.Snapshot, of *world.World) *counterparts {
	return s.Derived(of.Fingerprint(), func() any { return compare(s, of) }).(*counterparts)
}

func compare(s *dataset.Snapshot, of *world.World) *counterparts {
	c := &counterparts{
		profiles: map[int32]counterpart{}, installations: map[int32]counterpart{},
		loadedProfile: map[int64]int32{}, loadedInstallation: map[int64]int32{}, aliases: map[int64][]int32{},
	}
	for at := s.Installations.From(0); at.More(s.Installations.Count); {
		var in record.Installation
		record.DecodeInstallation(&at.Decoder, &in)
		if number, found := of.InstallationByID(in.ID); found {
			c.installations[in.Number] = counterpart{number: number, loaded: in.Encoded != ""}
			c.loadedInstallation[number] = in.Number
		}
	}
	for at := s.Profiles.From(0); at.More(s.Profiles.Count); {
		var p record.Profile
		record.DecodeProfile(&at.Decoder, &p)
		number, found := of.ProfileByID(p.ID)
		if !found && p.CustomID != "" {
			number, found = of.ProfileByCustomID(p.CustomID)
		}
		if !found && p.Anonymous > 0 && !p.Loaded {
			if synthetic, is := c.installations[p.Anonymous-1]; is && !synthetic.loaded {
				number, found = of.OwnerOf(synthetic.number), true
			}
		}
		if found {
			c.add(&p, number)
		}
	}
	return c
}

func (c *counterparts) add(p *record.Profile, number int64) {
	made := counterpart{number: number, loaded: p.Loaded}
	other, exists := c.loadedProfile[number]
	if exists {
		if c.aliases[number] == nil {
			c.aliases[number] = []int32{other}
		}
		c.aliases[number] = append(c.aliases[number], p.Number)
		first := c.profiles[other]
		if made.alias = first.loaded || !p.Loaded; !made.alias {
			first.alias = true
			c.profiles[other] = first
		}
	}
	c.profiles[p.Number] = made
	if !made.alias {
		c.loadedProfile[number] = p.Number
	}
}

// loadedRow is what a row of a dataset is about.
type loadedRow struct {
	of    *record.Profile
	on    *record.Installation // nil: none
	event *record.Event        // nil: the row shows a moment
	// limit is the last event that the row reflects.
	limit record.Moment
}

// loadedOf is what a row is about; nil for a synthetic one.
func loadedOf(r *world.Row) *loadedRow {
	l, _ := r.Loaded.(*loadedRow)
	return l
}

// detailed is the profile of a row with what an event shows of it.
func (s *Overlay) detailed(r *world.Row) *record.Profile {
	if l := loadedOf(r); l.of.Detail == record.NameOnly {
		return s.wholeOf(l.of)
	}
	return loadedOf(r).of
}

// wholeOf is a profile with everything.
func (s *Overlay) wholeOf(p *record.Profile) *record.Profile {
	if p.Detail == record.Whole {
		return p
	}
	return s.ProfileAt(p.Number)
}

// syntheticRow is the synthetic row that a loaded row stands for, if it is
// about a synthetic profile or installation.
func (s *Overlay) syntheticRow(r *world.Row) (world.Row, bool) {
	if len(s.counterparts.profiles)+len(s.counterparts.installations) == 0 {
		return world.Row{}, false
	}
	l := loadedOf(r)
	profile, installation := int64(-1), int64(-1)
	if found, is := s.counterparts.profiles[l.of.Number]; is && !l.of.Loaded {
		profile = found.number
	}
	if l.on != nil && l.on.Encoded == "" {
		if found, is := s.counterparts.installations[l.on.Number]; is {
			installation = found.number
		}
	}
	if profile < 0 && installation >= 0 {
		profile = s.world.OwnerOf(installation)
	}
	if profile < 0 {
		return world.Row{}, false
	}
	return s.world.RowAt(profile, installation, r.Time), true
}

// inheritsProfile and inheritsInstallation report whether a loaded row shows
// the facts of the world.
func (s *Overlay) inheritsProfile(r *world.Row) bool {
	if len(s.counterparts.profiles) == 0 {
		return false
	}
	of := loadedOf(r).of
	_, is := s.counterparts.profiles[of.Number]
	return is && !of.Loaded
}

func (s *Overlay) inheritsInstallation(r *world.Row) bool {
	if len(s.counterparts.installations) == 0 {
		return false
	}
	on := loadedOf(r).on
	if on == nil || on.Encoded != "" {
		return false
	}
	_, is := s.counterparts.installations[on.Number]
	return is
}

// tracesOf are what events leave with the profile of a row, under all of its
// names.
func (s *Overlay) tracesOf(r *world.Row) []record.Trace {
	of := s.detailed(r)
	if len(s.counterparts.aliases) == 0 {
		return of.Traces.All()
	}
	found, is := s.counterparts.profiles[of.Number]
	if !is {
		return of.Traces.All()
	}
	traces := append([]record.Trace(nil), of.Traces.All()...)
	for _, other := range s.counterparts.aliases[found.number] {
		if other != of.Number {
			traces = append(traces, s.ProfileAt(other).Traces.All()...)
		}
	}
	return traces
}

// IsSynthetic reports whether a row is a synthetic one, or stands for one.
func (s *Overlay) IsSynthetic(r *world.Row) bool {
	if r.Loaded == nil {
		return true
	}
	_, is := s.syntheticRow(r)
	return is
}

// Key is Row.Key of the synthetic row that a loaded row stands for, or else of
// the row itself.
func (s *Overlay) Key(r *world.Row) uint64 {
	if r.Loaded != nil {
		if synthetic, is := s.syntheticRow(r); is {
			return synthetic.Key()
		}
	}
	return r.Key()
}
