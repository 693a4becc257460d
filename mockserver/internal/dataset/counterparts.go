package dataset

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

// bases say which own profiles and installations have the identifier of a
// synthetic one: its number, or -1. One that was loaded takes the place of the
// synthetic one. One that was not is that synthetic one: it prints what the
// world says, and beside it only the events are own.
type bases struct {
	profiles, installations []int64
	// twin marks a profile that another one of own data stands for: two names
	// of one synthetic profile. twins are all those of one that has several.
	twin  []bool
	twins map[int64][]int32
	// They find the own profile or installation of a synthetic one.
	ownProfile, ownInstallation map[int64]int32
}

func (s *Snapshot) basesIn(of *world.World) bases {
	b := bases{
		profiles: make([]int64, len(s.profiles)), installations: make([]int64, len(s.installations)), twin: make([]bool, len(s.profiles)),
		ownProfile: map[int64]int32{}, ownInstallation: map[int64]int32{}, twins: map[int64][]int32{},
	}
	for i := range s.installations {
		b.installations[i] = -1
		if number, found := of.InstallationByID(s.installations[i].id); found {
			b.installations[i] = number
			b.ownInstallation[number] = int32(i)
		}
	}
	for i := range s.profiles {
		p := &s.profiles[i]
		b.profiles[i] = -1
		number, found := of.ProfileByID(p.id)
		if !found && p.customID != "" {
			number, found = of.ProfileByCustomID(p.customID)
		}
		if !found && p.anonymous > 0 && p.row == nil {
			if base := b.installations[p.anonymous-1]; base >= 0 && s.installations[p.anonymous-1].row == nil {
				number, found = of.OwnerOf(base), true
			}
		}
		if !found {
			continue
		}
		b.profiles[i] = number
		other, taken := b.ownProfile[number]
		if taken {
			if b.twins[number] == nil {
				b.twins[number] = []int32{other}
			}
			b.twins[number] = append(b.twins[number], int32(i))
		}
		if taken && (s.profiles[other].row != nil || p.row == nil) {
			b.twin[i] = true
			continue
		}
		if taken {
			b.twin[other] = true
		}
		b.ownProfile[number] = int32(i)
	}
	return b
}

// base is the synthetic row that an own row stands for, if it is about a
// synthetic profile or installation.
func (s *Overlay) base(r *world.Row) (world.Row, bool) {
	profile, installation := int64(-1), int64(-1)
	if r.Profile >= 0 && s.profiles[r.Profile].row == nil {
		profile = s.bases.profiles[r.Profile]
	}
	if r.Installation >= 0 && s.installations[r.Installation].row == nil {
		installation = s.bases.installations[r.Installation]
	}
	if profile < 0 && installation >= 0 {
		profile = s.world.OwnerOf(installation)
	}
	if profile < 0 {
		return world.Row{}, false
	}
	return s.world.RowAt(profile, installation, r.Time), true
}

// inheritsProfile and inheritsInstallation say whose facts an own row prints.
func (s *Overlay) inheritsProfile(r *world.Row) bool {
	return s.profiles[r.Profile].row == nil && s.bases.profiles[r.Profile] >= 0
}

func (s *Overlay) inheritsInstallation(r *world.Row) bool {
	return r.Installation >= 0 && s.installations[r.Installation].row == nil && s.bases.installations[r.Installation] >= 0
}

// eventsOf are the ranks of the events of a profile, under whatever name, up to
// now.
func (s *Overlay) eventsOf(profile int32) []int32 {
	own := s.profiles[profile].events
	base := s.bases.profiles[profile]
	if base >= 0 && len(s.bases.twins) > 0 {
		own = append([]int32(nil), own...)
		for _, other := range s.bases.twins[base] {
			if other != profile {
				own = append(own, s.profiles[other].events...)
			}
		}
	}
	return own
}

// Key is Row.Key of the synthetic row that an own row stands for, or else of
// the row itself.
func (s *Overlay) Key(r *world.Row) uint64 {
	if r.Loaded != 0 {
		if base, is := s.base(r); is {
			return base.Key()
		}
	}
	return r.Key()
}
