package dataset

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

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
func counterpartsIn(s *Snapshot, of *world.World) *counterparts {
	return s.derived(of.Fingerprint(), func() any { return compare(s, of) }).(*counterparts)
}

func compare(s *Snapshot, of *world.World) *counterparts {
	c := &counterparts{
		profiles: map[int32]counterpart{}, installations: map[int32]counterpart{},
		loadedProfile: map[int64]int32{}, loadedInstallation: map[int64]int32{}, aliases: map[int64][]int32{},
	}
	for at := s.installations.from(0); at.more(s.installations.count); {
		var in installation
		decodeInstallation(&at.decoder, &in)
		if number, found := of.InstallationByID(in.id); found {
			c.installations[in.number] = counterpart{number: number, loaded: in.encoded != ""}
			c.loadedInstallation[number] = in.number
		}
	}
	for at := s.profiles.from(0); at.more(s.profiles.count); {
		var p profile
		decodeProfile(&at.decoder, &p)
		number, found := of.ProfileByID(p.id)
		if !found && p.customID != "" {
			number, found = of.ProfileByCustomID(p.customID)
		}
		if !found && p.anonymous > 0 && !p.loaded {
			if synthetic, is := c.installations[p.anonymous-1]; is && !synthetic.loaded {
				number, found = of.OwnerOf(synthetic.number), true
			}
		}
		if found {
			c.add(&p, number)
		}
	}
	return c
}

func (c *counterparts) add(p *profile, number int64) {
	made := counterpart{number: number, loaded: p.loaded}
	other, exists := c.loadedProfile[number]
	if exists {
		if c.aliases[number] == nil {
			c.aliases[number] = []int32{other}
		}
		c.aliases[number] = append(c.aliases[number], p.number)
		first := c.profiles[other]
		if made.alias = first.loaded || !p.loaded; !made.alias {
			first.alias = true
			c.profiles[other] = first
		}
	}
	c.profiles[p.number] = made
	if !made.alias {
		c.loadedProfile[number] = p.number
	}
}

// loadedRow is what a row of a dataset is about.
type loadedRow struct {
	of    *profile
	on    *installation // nil: none
	event *event        // nil: the row shows a moment
	// limit is the last event that the row reflects.
	limit moment
}

// loadedOf is what a row is about; nil for a synthetic one.
func loadedOf(r *world.Row) *loadedRow {
	l, _ := r.Loaded.(*loadedRow)
	return l
}

// detailed is the profile of a row with what an event shows of it.
func (s *Overlay) detailed(r *world.Row) *profile {
	if l := loadedOf(r); l.of.detail == nameOnly {
		return s.wholeOf(l.of)
	}
	return loadedOf(r).of
}

// wholeOf is a profile with everything.
func (s *Overlay) wholeOf(p *profile) *profile {
	if p.detail == whole {
		return p
	}
	return s.profileAt(p.number)
}

// syntheticRow is the synthetic row that a loaded row stands for, if it is
// about a synthetic profile or installation.
func (s *Overlay) syntheticRow(r *world.Row) (world.Row, bool) {
	if len(s.counterparts.profiles)+len(s.counterparts.installations) == 0 {
		return world.Row{}, false
	}
	l := loadedOf(r)
	profile, installation := int64(-1), int64(-1)
	if found, is := s.counterparts.profiles[l.of.number]; is && !l.of.loaded {
		profile = found.number
	}
	if l.on != nil && l.on.encoded == "" {
		if found, is := s.counterparts.installations[l.on.number]; is {
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
	_, is := s.counterparts.profiles[of.number]
	return is && !of.loaded
}

func (s *Overlay) inheritsInstallation(r *world.Row) bool {
	if len(s.counterparts.installations) == 0 {
		return false
	}
	on := loadedOf(r).on
	if on == nil || on.encoded != "" {
		return false
	}
	_, is := s.counterparts.installations[on.number]
	return is
}

// tracesOf are what events leave with the profile of a row, under all of its
// names.
func (s *Overlay) tracesOf(r *world.Row) []trace {
	of := s.detailed(r)
	if len(s.counterparts.aliases) == 0 {
		return of.traces.all()
	}
	found, is := s.counterparts.profiles[of.number]
	if !is {
		return of.traces.all()
	}
	traces := append([]trace(nil), of.traces.all()...)
	for _, other := range s.counterparts.aliases[found.number] {
		if other != of.number {
			traces = append(traces, s.profileAt(other).traces.all()...)
		}
	}
	return traces
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
