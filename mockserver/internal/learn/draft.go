package learn

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// draft is a world on trial.
type draft struct {
	profiles  int64
	growth    *float64
	campaigns *int
	weekly    *float64
	texture   texture.Level
	timing    timing
	weights   map[string][]int          // of hours and weekdays
	values    map[string]map[string]int // weights of values, by column
	shares    map[string]float64        // by the names of what is counted
	durations map[string]float64        // in seconds
	unlike    unlike
	// attributes say what custom attributes are; they are counted, and not corrected.
	attributes []amend.Member
}

// timing is when messages go out, how far delays are from their medians, and how late rows are.
type timing struct {
	local   *float64           // the share of orchestrations that send by the clocks of people
	spreads map[string]float64 // by the names of delays
	late    arrival.Spread
}

// settings are those of the world.
func (d *draft) settings() world.Settings {
	s := world.Settings{CampaignQuality: d.unlike.quality, Changes: d.unlike.changes, EndsByMessage: d.unlike.byMessage,
		Weights: d.values, Growth: d.growth, Campaigns: d.campaigns, WeeklyMessages: d.weekly, Texture: d.texture,
		LocalSending: d.timing.local,
		SendHours:    d.weights[sendHours], SendWeekdays: d.weights[sendWeekdays], AppHours: d.weights[appHours], AppWeekdays: d.weights[appWeekdays],
	}
	for name, into := range map[string]**float64{
		pushOnly: &s.PushOnly, emailOnly: &s.EmailOnly, sms: &s.SMS,
		pushOptIn: &s.PushOptIn, emailOptIn: &s.EmailOptIn, smsOptIn: &s.SMSOptIn,
	} {
		if value, learned := d.shares[name]; learned {
			*into = &value
		}
	}
	for name, value := range d.shares {
		if event, is := strings.CutPrefix(name, rateOf); is {
			if s.Rates == nil {
				s.Rates = map[string]float64{}
			}
			s.Rates[event] = value
		}
	}
	return s
}

// arrival is how rows of the world arrive.
func (d *draft) arrival() arrival.Arrival {
	return arrival.Arrival{Late: d.timing.late, Duplicates: d.shares[duplicates]}
}

// schemaChange is a member of a step of a journey and what it becomes.
type schemaChange struct {
	event, part, member string // part: "", machine or again
	number              float64
	duration            bool
}

// schemaChanges are what the schema files are to say otherwise.
func (d *draft) schemaChanges() (list []schemaChange) {
	for _, each := range []struct{ prefix, part, member string }{{machineOf, "machine", "share"}, {againOf, "again", "rate"}, {withdrawalOf, "", "rate"}} {
		for _, name := range slices.Sorted(maps.Keys(d.shares)) {
			if event, is := strings.CutPrefix(name, each.prefix); is {
				list = append(list, schemaChange{event, each.part, each.member, d.shares[name], false})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.durations)) {
		for _, each := range []struct{ prefix, part string }{{machineDelayOf, "machine"}, {againDelayOf, "again"}, {delayOf, ""}} {
			if event, is := strings.CutPrefix(name, each.prefix); is {
				list = append(list, schemaChange{event, each.part, "delay", d.durations[name], true})
				if spread, learned := d.timing.spreads[name]; learned {
					list = append(list, schemaChange{event, each.part, "spread", spread, false})
				}
				break
			}
		}
	}
	return list
}

// movedBy is a share, moved by how far that of the base is from the one that a world showed: by the logarithm of the odds.
func movedBy(value, wanted, shown float64) float64 {
	within := func(p float64) float64 { return min(max(p, 1e-5), 1-1e-5) }
	odds := func(p float64) float64 { return math.Log(within(p) / (1 - within(p))) }
	return within(1 / (1 + math.Exp(-(odds(value) + odds(wanted) - odds(shown)))))
}

// leastWeekly is how few messages a week are learned at least.
const leastWeekly = 0.01

// correct moves the draft by the difference between the base and what the world of the draft showed.
func (d *draft) correct(wanted, shown *base, least int64) {
	d.correctQuality(wanted, shown, least)
	d.correctChanges(wanted, shown)
	for name, value := range d.shares {
		if value == 0 || value == 1 || strings.HasPrefix(name, withdrawalOf) { // taken as empty, or as all, or only against each other
			continue
		}
		aim, got := wanted.share(name), shown.share(name)
		if got.n == 0 {
			continue
		}
		d.shares[name] = movedBy(value, aim.rate(), got.rate())
	}
	if total := d.shares[pushOnly] + d.shares[emailOnly] + d.shares[sms]; total > 1 {
		for _, name := range []string{pushOnly, emailOnly, sms} {
			if _, learned := d.shares[name]; learned {
				d.shares[name] /= total
			}
		}
	}
	for name, value := range d.durations {
		aim, got := wanted.durations[name], shown.durations[name]
		if got == nil || got.quantile(0.5) <= 0 {
			continue
		}
		d.durations[name] = min(max(value*aim.quantile(0.5)/got.quantile(0.5), 1), 60*daySeconds)
		d.correctSpread(name, aim, got)
	}
	d.correctClocks(wanted, shown)
	if d.weekly != nil && shown.messages > 0 && shown.people > 0 {
		moved := *d.weekly * float64(wanted.messages) / float64(wanted.people) * float64(shown.people) / float64(shown.messages)
		*d.weekly = min(max(moved, leastWeekly), world.MaxWeeklyMessages)
	}
	if shown.people > 0 {
		d.profiles = max(int64(float64(d.profiles)*float64(wanted.people)/float64(shown.people)), 1)
	}
}

// round leaves three digits of everything.
func (d *draft) round() {
	d.roundQuality()
	d.roundChanges()
	for name, value := range d.shares {
		d.shares[name] = min(report.Rounded(value), 1)
	}
	// Rounded up, shares of one whole may be more than it.
	for d.shares[pushOnly]+d.shares[emailOnly]+d.shares[sms] > 1 {
		d.shares[sms] -= 0.001
	}
	d.roundSpreads()
	for name, value := range d.durations {
		d.durations[name] = max(math.Round(report.Rounded(value)), 1)
	}
	if d.weekly != nil {
		*d.weekly = report.Significant(*d.weekly, 2)
	}
	if d.growth != nil {
		*d.growth = report.Rounded(*d.growth)
	}
	if d.timing.local != nil {
		*d.timing.local = report.Rounded(*d.timing.local)
	}
	d.profiles = max(int64(report.Significant(float64(d.profiles), 3)), 1)
}

// single are the names of the settings that are neither shares nor durations.
func (d *draft) single() (names []string) {
	names = append(names, "profiles")
	for name, learned := range map[string]bool{"growth": d.growth != nil, "campaigns": d.campaigns != nil, "weekly-messages": d.weekly != nil, "texture": d.texture != "", localSending: d.timing.local != nil, "arrival": d.timing.late != arrival.Spread{}} {
		if learned {
			names = append(names, name)
		}
	}
	names = slices.AppendSeq(slices.AppendSeq(names, maps.Keys(d.weights)), maps.Keys(d.values))
	names = append(names, d.unlike.names()...)
	slices.Sort(names)
	return names
}
