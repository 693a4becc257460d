package learn

import (
	"context"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Options change how settings are estimated.
type Options struct {
	// People is how many people share at least whatever is learned; 0: DefaultPeople.
	People int64
	// Overlay has schema files that replace or add to the embedded ones; nil: none.
	Overlay fs.FS
	// Directory is where temporary files are made; "" stands for that of the system.
	Directory string
	// TrialProfiles is how many profiles a world has at most that is made for comparison; 0: DefaultTrialProfiles.
	TrialProfiles int64
	// Progress is told which part of the work begins, of how many: reading, then the trials; nil: nobody is told.
	Progress func(part, of int)
}

// Defaults of Options.
const (
	DefaultPeople        = 20
	DefaultTrialProfiles = 8_000
)

// rounds is how often settings are tried and corrected. The last trial, with other chances, is the one that is reported.
const rounds = 2

// Files learns from export files.
func Files(ctx context.Context, inputs []importer.Input, options Options) (*Learned, error) {
	if options.People == 0 {
		options.People = DefaultPeople
	}
	if options.TrialProfiles == 0 {
		options.TrialProfiles = DefaultTrialProfiles
	}
	if options.Progress == nil {
		options.Progress = func(int, int) {}
	}
	options.Progress(1, rounds+2)
	bench, err := amend.New(options.Overlay)
	if err != nil {
		return nil, err
	}
	reading := importer.Options{Directory: options.Directory, Rows: true}
	found, err := read(ctx, bench.Library(), inputs, reading, options.People)
	switch {
	case err != nil:
		return nil, err
	case found.people == 0:
		return nil, errNothing
	case found.people < options.People:
		return nil, &FewError{found.people, options.People}
	}
	l := &Learned{Least: options.People, base: found}
	d := l.begin()
	d.attributes = found.attributeTypes(bench.Library(), options.People, l.leave)
	size := min(max(d.profiles, 200), options.TrialProfiles)
	for round := range rounds {
		options.Progress(round+2, rounds+2)
		tried, err := d.onTrial(ctx, options, asBase(found, trialSeed, size, options.People, reading))
		if err != nil {
			return nil, err
		}
		of := tried.people
		d.profiles = size
		d.correct(found, tried, options.People)
		if round == 0 && of > 0 { // people that files show, of those that a world has
			size = min(max(d.profiles, 200), options.TrialProfiles)
		}
	}
	d.round()
	if err := d.apply(bench); err != nil {
		return nil, err
	}
	options.Progress(rounds+2, rounds+2)
	l.shown, err = d.onTrial(ctx, options, asBase(found, trialSeed+1, size, options.People, reading))
	if err != nil {
		return nil, err
	}
	l.draft, l.schemas = d, map[string][]byte{}
	if options.Overlay != nil {
		if err := schemas.ReadFiles(options.Overlay, l.schemas); err != nil {
			return nil, err
		}
	}
	maps.Copy(l.schemas, bench.Files())
	l.judge()
	return l, nil
}

// trialSeed is the seed of the worlds on trial: the same files always teach the same.
const trialSeed = 15

// onTrial makes files of a draft, with the schema files that it asks for.
func (d *draft) onTrial(ctx context.Context, options Options, of request) (*base, error) {
	bench, err := amend.New(options.Overlay)
	if err != nil {
		return nil, err
	}
	if err := d.apply(bench); err != nil {
		return nil, err
	}
	return d.try(ctx, bench, of)
}

// manyPeople is of how many times as many people a cell of too few is taken as empty; of fewer, that would be far from true.
const manyPeople = 10

// manyDurations is how many times as many people a median or a bound is of at least: that of fewer is mostly chance.
const manyDurations = 5

// begin is a draft that takes what was counted for the settings, and notes what cannot be learned.
func (l *Learned) begin() *draft {
	b := l.base
	d := &draft{profiles: b.people, shares: map[string]float64{}, durations: map[string]float64{}, timing: timing{spreads: map[string]float64{}}, weights: map[string][]int{}, values: map[string]map[string]int{},
		unlike: newUnlike()}
	for _, name := range []string{sendHours, sendWeekdays, appHours, appWeekdays} {
		if weights := weightsOf(b.cells[name], l.Least); weights != nil {
			d.weights[name] = weights
		} else {
			l.leave(name, "the files do not show %d people at most of these times, and where they live", l.Least)
		}
	}
	for _, name := range []string{pushOnly, emailOnly, sms, pushOptIn, emailOptIn, smsOptIn, duplicates} {
		s := b.share(name)
		switch {
		case s.people < l.Least, s.people < manyPeople*l.Least && min(s.with, s.without) < l.Least:
			l.leave(name, "the files do not show it of %d people, or show fewer on one of its sides", l.Least)
		case s.with < l.Least:
			d.shares[name] = 0
		case s.without < l.Least:
			d.shares[name] = 1
		default:
			d.shares[name] = s.rate()
		}
	}
	for _, event := range b.journey.events {
		l.beginStep(d, event)
	}
	l.beginValues(d)
	l.beginQuality(d)
	l.beginChanges(d)
	l.beginLate(d)
	l.beginClocks(d)
	recent, before := b.grown()
	if recent >= l.Least && before >= l.Least {
		growth := growthOf(float64(recent)/float64(before), int64(b.times.latest.value()))
		d.growth = &growth
	} else {
		l.leave("growth", "the files do not show %d people of the last year, and as many of before", l.Least)
	}
	if count := b.senderCount(l.Least); count > 0 {
		count = min(count, world.MaxCampaigns)
		d.campaigns = &count
	} else {
		l.leave("campaigns", "no orchestration wrote to %d people", l.Least)
	}
	if b.has("profiles.events") && b.messages >= l.Least {
		usual := float64(world.DefaultWeeklyMessages)
		d.weekly = &usual
	} else {
		l.leave("weekly-messages", "the files do not tell of messages to %d profiles", l.Least)
	}
	if s := b.share(awkward); s.people >= l.Least {
		d.texture = textureOf(s.rate())
	} else {
		l.leave("texture", "the files do not show custom identifiers of %d people", l.Least)
	}
	if b.said.campaigns >= l.Least {
		l.leave("audiences of campaigns", "files of a campaign do not say whom it was meant for; the world sends each to people of its own choice")
	}
	return d
}

// mostCovered is which part of all has to be in cells that enough people share, so that the others can be taken as empty.
const mostCovered = 0.9

// weightsOf are the parts of cells in hundredths of the largest; nil: too much is in cells that too few people share.
func weightsOf(c *cells, least int64) []int {
	if c == nil || c.covered(least) < mostCovered {
		return nil
	}
	parts := c.spread(least)
	most := slices.Max(parts)
	weights := make([]int, len(parts))
	for i, part := range parts {
		weights[i] = int(math.Round(part / most * 100))
	}
	return weights
}

// beginStep takes what was counted of a step.
func (l *Learned) beginStep(d *draft, event string) {
	b, step := l.base, l.base.journey.steps[event]
	if step.After == "" {
		return
	}
	name := b.journey.rateName(event)
	s := b.share(name)
	switch {
	case step.Consent != "" && !b.withdrawn(event, l.Least):
		l.leave(name, "it follows from changes of consent, of which it has its usual part")
	case s.with < l.Least:
		l.leave(name, "fewer than %d people did it, or the files were not asked for it", l.Least)
	case s.without < l.Least && s.people < manyPeople*l.Least:
		l.leave(name, "fewer than %d people did not do it, of too few to say that all did", l.Least)
	case s.without < l.Least:
		d.shares[name] = 1
	default:
		d.shares[name] = s.rate()
	}
	for _, each := range []struct {
		name string
		is   bool
	}{{machineOf, step.Machine.Share > 0}, {againOf, step.Again.Rate > 0}} {
		if s := b.share(each.name + event); each.is && s.with >= l.Least && s.without >= l.Least {
			d.shares[each.name+event] = s.rate()
		} else if each.is {
			l.leave(each.name+event, "fewer than %d people did it", l.Least)
		}
	}
	for _, each := range []struct {
		name string
		is   bool
	}{{delayOf, step.Delay > 0}, {machineDelayOf, step.Machine.Share > 0}, {againDelayOf, step.Again.Rate > 0}} {
		if c := b.durations[each.name+event]; each.is && c != nil && c.contributing >= manyDurations*l.Least {
			d.durations[each.name+event] = max(c.quantile(0.5), 1)
			l.beginSpread(d, each.name+event, c)
		} else if each.is {
			l.leave(each.name+event, "fewer than %d people did it", manyDurations*l.Least)
		}
	}
}

// growthOf is the growth of a world in which so many people came in the last year, for each of before.
func growthOf(ratio float64, now int64) float64 {
	now = max(now, earliestTrial.Unix())
	const many = 1_000_000
	low, high := 0.0, 1.0
	for range 30 {
		middle := (low + high) / 2
		w, err := world.NewWith(0, many, world.Settings{Growth: &middle})
		if err != nil { // it is a share
			panic(err)
		}
		before := float64(w.ProfilesAt(now - yearWeek*weekSeconds))
		if float64(w.ProfilesAt(now))-before < ratio*before {
			low = middle
		} else {
			high = middle
		}
	}
	return report.Rounded((low + high) / 2)
}

// textureOf is the level at which so many custom identifiers are awkward.
func textureOf(rate float64) texture.Level {
	switch {
	case rate < 0.001:
		return texture.Tidy
	case rate < 0.2:
		return texture.Realistic
	}
	return texture.Hostile
}

// kinds are those of the files that were read, in order and once.
func (b *base) kinds() []string {
	var list []string
	for _, f := range b.files {
		if f.Kind != "" && f.Rows > 0 && !slices.Contains(list, f.Kind) {
			list = append(list, f.Kind)
		}
	}
	slices.SortFunc(list, strings.Compare)
	return list
}
