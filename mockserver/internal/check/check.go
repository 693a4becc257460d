package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Input is one file.
type Input struct {
	// Name is what findings call it. Where its content fits several kinds of export, a kind in the name decides.
	Name string
	// Reader gives its content, gzip or not. It is read once, from its beginning to its end.
	Reader io.Reader
	// Kind is the kind of export, such as campaign.events; "" to detect it from the content.
	Kind string
	// Campaign names the campaign or transactional group that the file is of: the files themselves do not
	// say it. "" for unknown; then files of several campaigns are not compared.
	Campaign string
	// Export names the export of which the file is a part, and Part which one: its rows follow those of the parts before. "" for unknown;
	// then two parts are compared as two files.
	Export string
	Part   int
	// From and To are the window of the request: From is inside, To is not. Of a snapshot, To is the moment that it shows and From is not
	// used. Zero for unknown: then it is estimated from the rows; those of a snapshot only that it was taken after the latest date in it.
	From, To time.Time
	Moment   bool // To was said alone, as the moment that a snapshot shows: files with a window are refused
}

// Options change how files are checked.
type Options struct {
	// Rules are the names of the rules to check, or, behind a minus, to leave out; none: all of them.
	Rules []string
	// Arrival is any of late, duplicates, skew, unordered: rules that such files break are not checked.
	Arrival []string
	// Now is the present, for the rule future. Zero: it is not checked.
	Now time.Time
	// Reach is how long after its cause an event may come: longer ago, the cause may lie before the window. 0 stands for [DefaultReach].
	Reach time.Duration
	// Memory is how many bytes the sorting of rows may take, at least 1 MB; more goes to temporary files. 0
	// stands for [DefaultMemory]. The rest of a check takes about 60 MB.
	Memory int
	// Directory is where temporary files are made; "" stands for that of the system.
	Directory string
	// MaxFindings is how many findings of each rule are reported; all of them are counted. 0 reports all.
	MaxFindings int
}

// Defaults of [Options].
const (
	DefaultReach  = 30 * 24 * time.Hour
	DefaultMemory = 96 << 20
)

// errEnough ends a check because report asked for it.
var errEnough = errors.New("enough")

// Files checks files against each other. Every finding goes to report, which answers whether to go on. The error speaks of reading, of a
// kind that cannot be detected ([*KindError]), or of the options, never of what the rows hold.
func Files(ctx context.Context, library *schemas.Library, inputs []Input, options Options, report func(Finding) bool) (Summary, error) {
	e, err := newEngine(ctx, library, options, report)
	if err != nil {
		return Summary{}, err
	}
	defer e.close()
	err = e.run(inputs)
	if errors.Is(err, errEnough) {
		err = nil
	}
	return e.summary(), err
}

// engine is one run.
type engine struct {
	ctx     context.Context
	library *schemas.Library
	options Options
	kinds
	report  func(Finding) bool
	tallies map[string]*tally // by rule
	stopped error             // errEnough, once report has said so
	files   []*file
	now     moment // 0: not known
	reach   moment
	record  []byte // reused

	// The rows in order, by what the rules about several rows compare.
	installations, profiles, customers *extsort.Sorter

	// What files have in common.
	coverage    coverage
	pairs       map[[2]int32]*filePair
	projections []*projection
}

// kinds is what the schemas say of the exports.
type kinds struct {
	exports  []schemas.Export
	layouts  map[string]*member  // by kind
	journeys map[string]*journey // by kind
}

func kindsIn(library *schemas.Library) kinds {
	k := kinds{exports: library.Exports(), layouts: map[string]*member{}, journeys: map[string]*journey{}}
	for _, export := range k.exports {
		schema := library.Schema(export.Output)
		if export.Format == "json" {
			schema = schema.Items2020
		}
		rows := &member{}
		if schema != nil {
			rows = readMember([]*jsonschema.Schema{schema}, nil)
		}
		k.layouts[export.Kind] = rows
		if types := rows.find(eventType); types != nil && types.Journey != nil {
			k.journeys[export.Kind] = newJourney(types.Journey)
		}
	}
	return k
}

func newEngine(ctx context.Context, library *schemas.Library, options Options, report func(Finding) bool) (*engine, error) {
	chosen, err := rules.Choose(options.Rules)
	broken, wrong := rules.BrokenBy(options.Arrival)
	if err := errors.Join(err, wrong); err != nil {
		return nil, err
	}
	e := &engine{
		ctx: ctx, library: library, options: options,
		report: report, tallies: map[string]*tally{}, kinds: kindsIn(library), pairs: map[[2]int32]*filePair{},
		reach: moment(cmp.Or(options.Reach, DefaultReach).Microseconds()),
	}
	if !options.Now.IsZero() {
		e.now = momentOf(options.Now)
	}
	for _, rule := range rules.All() {
		e.tallies[rule.Name] = &tally{chosen: chosen[rule.Name], expected: broken[rule.Name]}
	}
	memory := max(cmp.Or(options.Memory, DefaultMemory), 1<<20)
	e.installations = extsort.New(options.Directory, memory*2/5)
	e.profiles = extsort.New(options.Directory, memory*2/5)
	e.customers = extsort.New(options.Directory, memory/5)
	return e, nil
}

func (e *engine) close() {
	e.installations.Close()
	e.profiles.Close()
	e.customers.Close()
}

func (e *engine) run(inputs []Input) error {
	for _, input := range inputs {
		if err := e.read(input); err != nil {
			var unknown *KindError
			if errors.As(err, &unknown) {
				return err // it names the file
			}
			return fmt.Errorf("%s: %w", input.Name, err)
		}
	}
	e.nameStreams()
	e.buildCoverage()
	e.findOverlaps()
	e.matchProjections()
	customers := &customerSweep{engine: e, sendings: sendings{streams: map[string]*filePair{}}}
	for _, sweep := range []struct {
		sorter *extsort.Sorter
		over   sweeper
	}{
		{e.installations, &installationSweep{engine: e}},
		{e.profiles, &profileSweep{engine: e}},
		{e.customers, customers},
	} {
		if err := e.sweep(sweep.sorter, sweep.over); err != nil {
			return err
		}
		sweep.sorter.Close()
	}
	e.reportPairs()
	e.reportProjections()
	customers.sendings.report(e)
	return e.stopped
}

func (e *engine) summary() Summary {
	made := Summary{Files: []FileSummary{}, Rules: []Verdict{}}
	for _, f := range e.files {
		made.Files = append(made.Files, FileSummary{f.input.Name, f.export.Kind, f.rows})
	}
	for _, rule := range rules.All() {
		made.Rules = append(made.Rules, e.tallies[rule.Name].verdict(rule))
	}
	return made
}

// checks reports whether a rule was chosen.
func (e *engine) checks(rule string) bool {
	return e.tallies[rule].chosen && e.tallies[rule].expected == ""
}

// assert counts a comparison, and reports a violation unless it holds.
func (e *engine) assert(rule string, holds bool, at place, other *place, format string, arguments ...any) {
	t := e.tallies[rule]
	if !t.chosen || t.expected != "" {
		return
	}
	t.checked++
	if holds {
		return
	}
	t.violations++
	if e.stopped != nil || e.options.MaxFindings > 0 && t.violations > int64(e.options.MaxFindings) {
		return
	}
	found := Finding{Rule: rule, Place: e.placeOf(at), Message: fmt.Sprintf(format, arguments...)}
	if other != nil {
		found.Other = e.placeOf(*other)
	}
	if !e.report(found) {
		e.stopped = errEnough
	}
}

func (e *engine) note(rule, format string, arguments ...any) {
	e.tallies[rule].note(format, arguments...)
}

func (e *engine) placeOf(p place) *Place {
	return &Place{File: e.files[p.file].input.Name, Row: p.row, Line: p.line}
}
