package world

const (
	platformIOS = iota
	platformAndroid
	platformWeb
)

var platformNames = []string{"ios", "android", "web"}

func (w *World) platformOf(installation int64) int { return w.platformBy(saltOf(uint64(installation))) }

func (w *World) platformBy(salt uint64) int {
	ends := [...]int64{platformIOS: 44, platformAndroid: 92, platformWeb: 100}
	switch pick := below(drawSalted(w.keys.platform, salt), ends[platformWeb]); {
	case pick < ends[platformIOS]:
		return platformIOS
	case pick < ends[platformAndroid]:
		return platformAndroid
	}
	return platformWeb
}

// installedBy is when an installation of a profile was made: half of the first ones of a profile
// within an hour of its creation, the others later, ever fewer of them, within
// two years. The other ones, on a new device, come at any time within six years:
// so people keep installing the app when few new ones join. A push-only profile is
// created with its first installation.
func (w *World) installedBy(installation, profile int64) int64 {
	return w.createdAt(profile) + w.installDelay(installation, profile, isFirst(installation))
}

// installDelay is how long after the creation of its profile an installation was made.
func (w *World) installDelay(installation, profile int64, first bool) int64 {
	return w.installDelayOf(installation, first, first && w.isPushOnly(profile))
}

// installDelayOf is installDelay of an installation of whom it is known whether they are push-only.
func (w *World) installDelayOf(installation int64, first, pushOnly bool) int64 {
	random := draw(w.keys.installed, uint64(installation))
	switch {
	case !first:
		return below(mix(random), longestReplacement)
	case pushOnly:
		return 0
	case random%2 == 0:
		return below(random, 3600)
	}
	return below(mix(random), 1+below(random, longestWait))
}

// longestWait is how long after a profile its first installation comes, at most,
// and longestReplacement another one.
const (
	longestWait        = 2 * 365 * day
	longestReplacement = 6 * 365 * day
)

// isFirst reports whether an installation is the first one of its profile.
func isFirst(installation int64) bool {
	place := installation % installationsPerCycle
	return cycleOffsets[cycleOwners[place]] == place
}

// isInstalledBy reports whether an installation of a profile exists at an
// instant.
func (w *World) isInstalledBy(installation, profile, at int64) bool {
	return w.isThereBy(installation, profile, isFirst(installation), at)
}

// isThereBy is isInstalledBy of an installation that is the first one of its profile, or
// another one.
func (w *World) isThereBy(installation, profile int64, first bool, at int64) bool {
	switch {
	case first && profile < w.fullyInstalled.lowerBound(at):
		return true
	case first && profile < w.created.lowerBound(at-3600) && draw(w.keys.installed, uint64(installation))%2 == 0:
		return true // it came within an hour
	}
	// A push-only profile is created with its first one: who they are is asked last.
	return w.createdBefore(profile, at+1) && (w.createdBefore(profile, at+1-w.installDelayOf(installation, first, false)) || first && w.isPushOnly(profile))
}

// presence tells of some members of a block whose nth installation is there all through a
// span, and whose is not there before it ends.
func (w *World) presence(homes *households, block int64, nth int, members memberSet, of span) (there, gone memberSet) {
	full := memberSet(0)
	if nth == 0 {
		full = firstMembers(w.fullyInstalled.lowerBound(of.from) - block<<blockBits)
		there = members & full
	}
	pushOnly, asked := memberSet(0), false
	for rest := members &^ full; rest != 0; {
		bit := rest.pop()
		installation, profile := homes.first+int64(homes.owned[bit].before)+int64(nth), block<<blockBits+int64(bit)
		if nth == 0 && !asked {
			pushOnly, asked = w.pushOnlyOf(block, rest|1<<bit), true
		}
		delay := w.installDelayOf(installation, nth == 0, pushOnly.has(bit))
		switch {
		case w.createdBefore(profile, of.from+1-delay):
			there.add(bit)
		case !w.createdBefore(profile, of.to-delay):
			gone.add(bit)
		}
	}
	return there, gone
}

// installed calls visit for the installations that a profile has at an
// instant.
func (w *World) installed(profile, at int64, visit func(installation int64)) {
	if kept := w.installTimesAround(profile); kept != nil {
		owned := &kept.owned[profile%blockSize]
		for nth := int64(owned.before); nth < int64(owned.before+owned.count); nth++ {
			if kept.at(nth) <= at {
				visit(kept.first + nth)
			}
		}
		return
	}
	first, count := w.installationsOf(profile)
	for installation := first; installation < first+count; installation++ {
		if w.isInstalledBy(installation, profile, at) {
			visit(installation)
		}
	}
}

// installationsOf is the first installation of a profile and how many it has.
func (w *World) installationsOf(profile int64) (first, count int64) { return w.ownership.of(profile) }

// ownerOf is the profile of an installation.
func (w *World) ownerOf(installation int64) int64 { return w.ownership.ownerOf(installation) }

// ownerIn is the profile of the installation of a row.
func (w *World) ownerIn(r *Row) int64 {
	if r.ties.borrowed {
		return w.ownerOf(r.Installation)
	}
	return r.Profile
}

// installation is when the installation of a row was made. The row caches it.
func (w *World) installation(r *Row) int64 {
	if r.cache.installed == 0 {
		r.cache.installed = w.installedAt(r.Installation, w.ownerIn(r))
	}
	return r.cache.installed
}

// hasAdvertisingID reports whether the person allowed an advertising
// identifier; browsers have none.
func (w *World) hasAdvertisingID(installation int64) bool {
	return w.advertisedBy(saltOf(uint64(installation)))
}

// advertisedBy is hasAdvertisingID by the salt of an installation.
func (w *World) advertisedBy(salt uint64) bool {
	return drawSalted(w.keys.advertising, salt)%10 < 6 && w.platformBy(salt) != platformWeb
}

var smartSegments = []string{"new", "active", "occasional", "inactive", "migrated"}

const migratedSegment = 4

// isMigrated reports whether an installation came from another system.
func (w *World) isMigrated(installation int64) bool {
	return draw(w.keys.segment, uint64(installation))%50 == 0
}

// smartSegmentOf is an index in smartSegments: it follows from how long ago the
// app was installed and started.
func (s *starts) smartSegmentOf(r *Row) int {
	switch w := s.world; {
	case w.isMigrated(r.Installation):
		return migratedSegment
	case r.Time-w.installation(r) < 14*day:
		return 0
	}
	switch idle := r.Time - s.ofRow(r); {
	case idle < 7*day:
		return 1
	case idle < idleTime:
		return 2
	}
	return 3
}

// idleTime is after how long without a start an installation is inactive.
const idleTime = 60 * day

// everyVisit is how often people visit of their own accord, by the level of activity:
// every two days to eight months.
func everyVisit(level int) int64 { return [4]int64{240, 40, 9, 2}[level*4/levels] * day }

// lastOccurrence is the latest event, up to now, of a recurring one with a period, and
// a random offset in each.
func lastOccurrence(key uint64, every, now int64) int64 {
	phase := below(draw(key, 0), every)
	for nth := floorDivide(now-phase, every); ; nth-- {
		if at := nth*every + phase + below(draw(key, uint64(nth)+1), every); at <= now {
			return at
		}
	}
}
