package importer

// loose are installations that no row gives a profile. A person who lists no device may have had one of them when a message came.
type loose struct {
	list []looseInstallation
	lent map[string]string // the platform by the identifier of one that a message came to
}

type looseInstallation struct {
	id, installed, started, platform, optIn string
	owner                                   string // had it; empty: nobody is known
}

// mostLoose is how many are remembered: two megabytes.
const mostLoose = 10_000

// add adds an installation of a snapshot, if there is room.
func (l *loose) add(id string, group []fragment) {
	made, listed := looseInstallation{id: id}, false
	for at := range group {
		f := &group[at]
		if f.About != aboutInstallation {
			continue
		}
		listed = listed || f.Weight == strong
		for name, value := range map[string]*string{
			"install_date": &made.installed, "last_start_date": &made.started, platform: &made.platform,
		} {
			if text := f.Members.text(name); text != "" {
				*value = text
			}
		}
		if is := f.Members[isOptIn]; is != nil {
			made.optIn = string(is)
		}
	}
	if listed && len(l.list) < mostLoose {
		l.list = append(l.list, made)
	}
}

// find finds the one that a message to somebody came to, as far as can be told; empty: there is none. From then on, it is theirs.
func (l *loose) find(owner string, f *fragment) string {
	if l == nil {
		return ""
	}
	best, found, date := 0, -1, f.Members.text(eventDate)
	for at := range l.list {
		one := &l.list[at]
		isOther := one.owner != "" && one.owner != owner || one.platform != "" && one.platform != f.Platform
		if isOther || one.installed > date || f.Members.text(eventType) == "push_open" && one.started+"Z" < date {
			continue
		}
		fits := 1
		if one.owner == owner {
			fits += 2
		}
		if one.optIn == string(f.Seen[isOptIn]) {
			fits++
		}
		if fits > best {
			best, found = fits, at
		}
	}
	if found < 0 {
		return ""
	}
	one := &l.list[found]
	if one.owner, one.platform = owner, f.Platform; l.lent == nil {
		l.lent = map[string]string{}
	}
	l.lent[one.id] = f.Platform
	return one.id
}

// platformOf is the platform of an installation that a message came to; empty: none is known to have come.
func (l *loose) platformOf(id string) string {
	if l == nil {
		return ""
	}
	return l.lent[id]
}
