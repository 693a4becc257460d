package dataset

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

// counterparts maps loaded profiles and installations to the synthetic ones
// with the same identifier: by index, its number, or -1. A row that was loaded
// replaces the synthetic entity. One that is only named by other rows is the
// synthetic entity: its facts are those of the world, and only its events are
// loaded.
type counterparts struct {
	profiles, installations []int64
	// alias marks the profiles that are another name of a synthetic profile
	// that has one already; aliases are all names of such a profile.
	alias   []bool
	aliases map[int64][]int32
	// The reverse: the loaded profile or installation of a synthetic one.
	loadedProfile, loadedInstallation map[int64]int32
}

func (s *Snapshot) counterpartsIn(of *world.World) counterparts {
	c := counterparts{
		profiles: make([]int64, len(s.profiles)), installations: make([]int64, len(s.installations)), alias: make([]bool, len(s.profiles)),
		loadedProfile: map[int64]int32{}, loadedInstallation: map[int64]int32{}, aliases: map[int64][]int32{},
	}
	for i := range s.installations {
		c.installations[i] = -1
		if number, found := of.InstallationByID(s.installations[i].id); found {
			c.installations[i] = number
			c.loadedInstallation[number] = int32(i)
		}
	}
	for i := range s.profiles {
		p := &s.profiles[i]
		c.profiles[i] = -1
		number, found := of.ProfileByID(p.id)
		if !found && p.customID != "" {
			number, found = of.ProfileByCustomID(p.customID)
		}
		if !found && p.anonymous > 0 && p.row == nil {
			if synthetic := c.installations[p.anonymous-1]; synthetic >= 0 && s.installations[p.anonymous-1].row == nil {
				number, found = of.OwnerOf(synthetic), true
			}
		}
		if !found {
			continue
		}
		c.profiles[i] = number
		other, exists := c.loadedProfile[number]
		if exists {
			if c.aliases[number] == nil {
				c.aliases[number] = []int32{other}
			}
			c.aliases[number] = append(c.aliases[number], int32(i))
		}
		if exists && (s.profiles[other].row != nil || p.row == nil) {
			c.alias[i] = true
			continue
		}
		if exists {
			c.alias[other] = true
		}
		c.loadedProfile[number] = int32(i)
	}
	return c
}

// syntheticRow is the synthetic row that a loaded row stands for, if it is
// about a synthetic profile or installation.
func (s *Overlay) syntheticRow(r *world.Row) (world.Row, bool) {
	profile, installation := int64(-1), int64(-1)
	if r.Profile >= 0 && s.profiles[r.Profile].row == nil {
		profile = s.counterparts.profiles[r.Profile]
	}
	if r.Installation >= 0 && s.installations[r.Installation].row == nil {
		installation = s.counterparts.installations[r.Installation]
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
	return s.profiles[r.Profile].row == nil && s.counterparts.profiles[r.Profile] >= 0
}

func (s *Overlay) inheritsInstallation(r *world.Row) bool {
	return r.Installation >= 0 && s.installations[r.Installation].row == nil && s.counterparts.installations[r.Installation] >= 0
}

// eventsOf are the ranks of the events of a profile, under all of its names,
// up to now.
func (s *Overlay) eventsOf(profile int32) []int32 {
	events := s.profiles[profile].events
	synthetic := s.counterparts.profiles[profile]
	if synthetic >= 0 && len(s.counterparts.aliases) > 0 {
		events = append([]int32(nil), events...)
		for _, other := range s.counterparts.aliases[synthetic] {
			if other != profile {
				events = append(events, s.profiles[other].events...)
			}
		}
	}
	return events
}

// Key is Row.Key of the synthetic row that a loaded row stands for, or else of
// the row itself.
func (s *Overlay) Key(r *world.Row) uint64 {
	if r.Loaded != 0 {
		if synthetic, is := s.syntheticRow(r); is {
			return synthetic.Key()
		}
	}
	return r.Key()
}
