package check

import (
	"maps"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// projection is an ids file and the events files that it lists the recipients of.
type projection struct {
	ids     *file
	events  []*file
	named   bool     // the files are said to be of one campaign
	columns []source // that both show
	matched int64
	missing int64 // how many recipients only one side has
	found   []mismatch
}

// mismatch is a recipient that only one side has.
type mismatch struct {
	at    place
	event string
	inIDs bool
}

// matchProjections finds the events files of every ids file.
func (e *engine) matchProjections() {
	for _, ids := range e.files {
		if ids.export.View != vocabulary.ViewInstallationRecipients {
			continue
		}
		p := &projection{ids: ids, named: ids.input.Campaign != ""}
		others := 0
		for _, f := range e.files {
			if f.export.Stream != ids.export.Stream || f.input.Campaign != ids.input.Campaign {
				continue
			}
			switch f.export.View {
			case vocabulary.ViewInstallationMessages:
				p.events = append(p.events, f)
			case vocabulary.ViewInstallationRecipients:
				others++
			}
		}
		windows := !ids.input.From.IsZero() && !ids.input.To.IsZero()
		switch {
		case len(p.events) == 0:
			e.note(rules.Projection, "no events file of the same campaign as %s is given", ids.input.Name)
		case !p.named && (len(p.events) > 1 || others > 1):
			e.note(rules.Projection, "nothing says which events file has the campaign of %s; --campaign FILE=NAME does", ids.input.Name)
		case others > 1 && !windows:
			e.note(rules.Projection, "there are several ids files of the campaign of %s, and nothing says which window each has; --window does",
				ids.input.Name)
		case windows && !e.allCovered(p):
			e.note(rules.Projection, "the events files do not cover the window of %s", ids.input.Name)
		default:
			p.columns = e.commonColumns(p)
			if slices.Contains(p.columns, installationID) {
				e.projections = append(e.projections, p)
			} else {
				e.note(rules.Projection, "%s and its events file do not both show the identifier of the installation", ids.input.Name)
			}
		}
	}
}

// allCovered reports whether the events of an ids file with a known window are all in the files.
func (e *engine) allCovered(p *projection) bool {
	from, to := momentOf(p.ids.input.From), momentOf(p.ids.input.To)
	for kind := range p.ids.types {
		for _, f := range p.events {
			if f.types[kind] > 0 && e.coverage.covers(f.streamName(), kind, from, to-1) {
				return true
			}
		}
	}
	return len(p.ids.types) == 0
}

func (e *engine) commonColumns(p *projection) (columns []source) {
	for _, s := range []source{installationID, customID, advertisingID} {
		shown := p.ids.rows == 0 || p.ids.known.has(s)
		for _, f := range p.events {
			shown = shown && (f.rows == 0 || f.known.has(s))
		}
		if shown {
			columns = append(columns, s)
		}
	}
	return columns
}

// recipients compares the rows of ids files and events files about one installation.
type recipients struct {
	*engine
	rowsByKey []map[string]recipient // per projection, by what both show
}

// recipient is one row of an ids file, or all events that would make it.
type recipient struct {
	at            place
	event         string
	inIDs, events bool
}

func (s *recipients) begin(e *engine) {
	s.engine = e
	if s.rowsByKey == nil {
		s.rowsByKey = make([]map[string]recipient, len(e.projections))
	}
	for i := range s.rowsByKey {
		clear(s.rowsByKey[i])
	}
}

// mostRecipients bounds how many different rows an ids file may have about one installation.
const maxRecipients = 1024

func (s *recipients) add(r *row) {
	for i, p := range s.projections {
		isIDs := r.file == p.ids.index
		if !isIDs && !slices.ContainsFunc(p.events, func(f *file) bool { return f.index == r.file }) {
			continue
		}
		if !isIDs && !p.holds(r.time) || !p.compares(r.typeOrChannel()) {
			continue
		}
		if s.rowsByKey[i] == nil {
			s.rowsByKey[i] = map[string]recipient{}
		}
		key := r.typeOrChannel()
		for _, column := range p.columns {
			key += "\x00" + r.value(column)
		}
		recipient, found := s.rowsByKey[i][key]
		if !found {
			if len(s.rowsByKey[i]) >= maxRecipients {
				continue
			}
			recipient.at, recipient.event = r.place, r.typeOrChannel()
		}
		recipient.inIDs, recipient.events = recipient.inIDs || isIDs, recipient.events || !isIDs
		s.rowsByKey[i][key] = recipient
	}
}

// holds reports whether an event lies in the window of the ids file, if that is known.
func (p *projection) holds(at moment) bool {
	from, to := p.ids.input.From, p.ids.input.To
	return (from.IsZero() || at >= momentOf(from)) && (to.IsZero() || at < momentOf(to))
}

// compares reports whether both sides have events of a type: a type on one side only was not requested on the other.
func (p *projection) compares(kind string) bool {
	return p.ids.types[kind] > 0 && slices.ContainsFunc(p.events, func(f *file) bool { return f.types[kind] > 0 })
}

func (s *recipients) end() {
	for i, p := range s.projections {
		for _, key := range slices.Sorted(maps.Keys(s.rowsByKey[i])) {
			recipient := s.rowsByKey[i][key]
			if recipient.inIDs && recipient.events {
				p.matched++
				continue
			}
			p.missing++
			if len(p.found) < maxExamples {
				p.found = append(p.found, mismatch{recipient.at, recipient.event, recipient.inIDs})
			}
		}
	}
}

// reportProjections reports the recipients that only one side has. Files that share few are of different
// campaigns or windows, unless they are said to be of one.
func (e *engine) reportProjections() {
	for _, p := range e.projections {
		if !p.named && p.matched < p.missing {
			e.note(rules.Projection,
				"%s and %s have so little in common that they seem to be of different campaigns or windows; --campaign FILE=NAME says otherwise",
				p.ids.input.Name, p.events[0].input.Name)
			continue
		}
		t := e.tallies[rules.Projection]
		t.checked += p.matched
		for _, m := range p.found {
			if m.inIDs {
				e.assert(rules.Projection, false, m.at, nil, "no row of the events file tells of %s for this installation", m.event)
			} else {
				e.assert(rules.Projection, false, m.at, nil, "%s lists no %s for this installation", p.ids.input.Name, m.event)
			}
		}
		rest := p.missing - int64(len(p.found))
		t.checked, t.violations = t.checked+rest, t.violations+rest
	}
}
