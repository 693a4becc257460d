package check_test

import (
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

// planted is one violation in good files.
type planted struct {
	about, rule string
	// plant changes the files and returns the rows that are then wrong.
	plant func(*book) []*line
	// also are rules that the same change breaks as well.
	also []string
	// only are the files to check; nil: one of every kind.
	only []string
}

const profileOf = "identifiers/profile_id"

// TestPlantedViolations plants one violation after another in good files of every kind. Each must be found: by its rule,
// at its row; and nothing else may be.
func TestPlantedViolations(t *testing.T) {
	worlds := map[uint64]map[string][]byte{}
	tested := map[string]bool{"window": true, "tiling": true} // those have tests of their own
	for _, c := range slices.Concat(plantedInRows, plantedInPeople, plantedInMessages, plantedInSnapshots, plantedInLedger) {
		tested[c.rule] = true
		t.Run(c.rule+"/"+c.about, func(t *testing.T) {
			for seed := range uint64(60) {
				if worlds[seed] == nil {
					worlds[seed] = map[string][]byte{}
					for _, kind := range kinds(t) {
						worlds[seed][kind] = render(t, request{kind: kind, campaign: "welcome", seed: seed, profiles: 60,
							texture: texture.Tidy}) // a row is a line
					}
				}
				if b, rows := c.in(t, worlds[seed]); rows != nil {
					findings, _ := run(t, b.inputs(), check.Options{})
					expect(t, findings, c.rule, c.also, rows)
					return
				}
			}
			t.Error(errNoRow)
		})
	}
	for _, rule := range check.Rules() {
		must.Hold(t, tested[rule.Name], "no violation of %s is planted", rule.Name)
	}
}

// in plants the violation in files of one world; nil rows if that has no row such as it needs.
func (c planted) in(t *testing.T, good map[string][]byte) (b *book, rows []*line) {
	b = newBook(t)
	for _, kind := range kinds(t) {
		if c.only == nil || slices.Contains(c.only, kind) {
			b.add(kind, kind, good[kind])
		}
	}
	defer func() {
		if found := recover(); found != nil && found != errNoRow {
			panic(found)
		}
	}()
	return b, c.plant(b)
}

// expect checks that a rule names one of some rows, and that nothing else is found.
func expect(t *testing.T, findings []check.Finding, rule string, also []string, rows []*line) {
	t.Helper()
	names := func(p check.Place) bool {
		return slices.ContainsFunc(rows, func(l *line) bool {
			return p.File == l.sheet.name && p.Row == l.number()
		})
	}
	found := 0
	for _, f := range findings {
		about := names(*f.Place) || f.Other != nil && names(*f.Other)
		switch {
		case f.Rule == rule && about:
			found++
		case !about || !slices.Contains(also, f.Rule):
			t.Errorf("a false alarm: %s", f)
		}
	}
	if found == 0 {
		var numbers []int64
		for _, row := range rows {
			numbers = append(numbers, row.number())
		}
		t.Errorf("%s does not find rows %d of %s; found are %v", rule, numbers, rows[0].sheet.kind, findings)
	}
}

func eventIs(kind string) func(*line) bool {
	return func(l *line) bool { return l.get("event_type") == kind }
}

var plantedInRows = []planted{
	{"an event type that does not exist", "schema", func(b *book) []*line {
		return []*line{b.file("transactional.events").at(0).set("event_type", "push_lost")}
	}, nil, []string{"transactional.events", "campaign.events"}},
	{"two rows in the wrong order", "time-order", func(b *book) []*line {
		rows := b.file("in-app-campaign.events").rows
		at := 1 + slices.IndexFunc(rows[1:], func(l *line) bool { return l.time().After(rows[0].time()) })
		rows[at-1], rows[at] = rows[at], rows[at-1]
		return []*line{rows[at]}
	}, nil, nil},
	{"a change before there were any", "not-before", func(b *book) []*line {
		return []*line{b.file("profiles.reachability").at(0).at(time.Date(2024, 10, 9, 23, 59, 59, 0, time.UTC))}
	}, []string{"lookback", "creation"}, nil},
	{"a row from before the lookback", "lookback", func(b *book) []*line {
		rows := b.file("reachability.events").rows
		return []*line{rows[0].at(rows[len(rows)-1].time().AddDate(0, 0, -91))}
	}, []string{"creation"}, nil},
	{"an event of tomorrow", "future", func(b *book) []*line {
		rows := b.file("campaign.events").rows
		return []*line{rows[len(rows)-1].at(noon.AddDate(0, 0, 1))}
	}, []string{"lookback", "journey", "link", "projection"}, []string{"campaign.events"}},
	{"a start of tomorrow", "future", func(b *book) []*line {
		return []*line{b.file("userbase").at(3).set("last_start_date", noon.AddDate(0, 0, 1).Format("2006-01-02T15:04:05"))}
	}, nil, nil},
	{"an installation twice", "duplicates", func(b *book) []*line {
		s := b.file("userbase")
		s.rows = append(s.rows, s.at(7).copy())
		return s.rows[len(s.rows)-1:]
	}, nil, nil},
	{"a profile twice", "duplicates", func(b *book) []*line {
		s := b.file("profiles.attributes")
		s.rows = append(s.rows, s.at(7).copy())
		return s.rows[len(s.rows)-1:]
	}, nil, nil},
	{"a recipient twice", "duplicates", func(b *book) []*line {
		s := b.file("transactional.ids")
		s.rows = append(s.rows, s.at(7).copy())
		return s.rows[len(s.rows)-1:]
	}, nil, nil},
	{"an event twice", "duplicates", func(b *book) []*line {
		return []*line{b.find("profiles.events", eventIs("sms_sent")).copy().insert()}
	}, nil, nil},
	{"an event of a campaign twice", "duplicates", func(b *book) []*line {
		return []*line{b.file("campaign.events").at(3).copy().insert()}
	}, nil, nil},
	{"a recipient without events", "projection", func(b *book) []*line {
		s := b.file("campaign.ids")
		listed := map[string]bool{}
		for _, l := range s.rows {
			listed[l.get("install_id")] = true
		}
		other := b.find("userbase", func(l *line) bool { return !listed[l.get("install_id")] })
		made := s.at(0).copy().set("install_id", other.get("install_id")).set("custom_id", other.get("custom_id")).
			set("advertising_id", other.get("advertising_id"))
		s.rows = append(s.rows, made)
		return []*line{made}
	}, nil, nil},
	{"events without a recipient", "projection", func(b *book) []*line {
		gone := b.file("in-app-campaign.ids").at(20)
		gone.remove()
		return slices.DeleteFunc(b.all("in-app-campaign.events", "install_id", gone.get("install_id")), func(l *line) bool {
			return l.get("event_type") != gone.get("event_type")
		})
	}, nil, nil},
}
