package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// subject is one kind of file with everything that writes its rows.
type subject struct {
	export      schemas.Export
	file        *rows.File
	shard       rows.Shard // a piece of the file of the wanted size
	first, last int64      // its units
	rows, bytes float64    // of the shard
	columns     string     // of a CSV file

	byHand  func(dst []byte, unit int64) []byte // nil: there is none
	random  *rows.File
	anyRows float64 // rows of the shard when they are random
	measured
}

// measured are the samples of one subject.
type measured struct {
	found    samples // seconds, a round each
	hand     samples
	anyFound samples
	gofakeit samples // bytes per second
	faker    samples
}

type samples []float64

func (s samples) median() float64 { return median(s) }

// measureFiles makes files of every kind on one core, beside the same rows written by hand, rows that are drawn at random, and what
// gofakeit and json-schema-faker write. The rounds are interleaved, so that a busy moment of the machine meets all of them.
func measureFiles(ctx context.Context, out io.Writer, p programs, s settings) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	library, err := schemas.Embedded()
	if err != nil {
		return err
	}
	subjects, err := subjectsOf(ctx, library, s)
	if err != nil {
		return err
	}
	others := findPeers(ctx, p)
	copied, err := copyRate(s)
	if err != nil {
		return err
	}
	for range s.rounds {
		for _, subject := range subjects {
			if err := subject.round(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", subject.export.Kind, err)
			}
		}
		others.gofakeit(ctx, subjects, s)
	}
	others.faker(ctx, subjects, s)
	fmt.Fprintf(out, "\nfiles, processor time (memory copy: %.0f MB/s)\tMB/s\tof a copy\tMrows/s\tof hand-written\tof gofakeit and encoding/*\tof json-schema-faker\tcoherent/random\n", copied)
	for _, subject := range subjects {
		subject.print(out, copied)
	}
	for _, complaint := range others.complaints {
		fmt.Fprintln(out, complaint)
	}
	return nil
}

// subjectsOf opens a file of every kind of a world of a million people, with everything in it that its request can ask for.
func subjectsOf(ctx context.Context, library *schemas.Library, s settings) (list []*subject, err error) {
	for _, export := range library.Exports() {
		made, err := newSubject(ctx, library, export, s.bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", export.Kind, err)
		}
		list = append(list, made)
	}
	return list, nil
}

// fewRows are too few to measure.
const fewRows = 10

func newSubject(ctx context.Context, library *schemas.Library, export schemas.Export, wanted int64) (*subject, error) {
	spec, err := everything(library, export)
	if err != nil {
		return nil, err
	}
	file, err := rows.NewRenderer(library).Open(spec)
	if err != nil {
		return nil, err
	}
	whole, err := file.Estimate(rows.Whole)
	if err != nil {
		return nil, err
	}
	people, scope := file.Source()
	of := int(max(whole.Bytes/wanted, 3)) // a piece from the middle has no frame
	made := &subject{export: export, file: file}
	var text bytes.Buffer
	for number := of/2 + 1; number < of && made.rows < fewRows; number++ { // by night nothing is sent
		text.Reset()
		made.shard = rows.Shard{Number: number, Of: of}
		if _, err := file.Write(ctx, &text, made.shard, func(p rows.Progress) { made.rows, made.bytes = float64(p.Rows), float64(p.Bytes) }); err != nil {
			return nil, err
		}
	}
	made.first, made.last = made.shard.Units(scope.View.Units())
	if export.Format == "csv" {
		var header bytes.Buffer
		spec.MaxRows = new(int64)
		if empty, err := rows.NewRenderer(library).Open(spec); err != nil {
			return nil, err
		} else if _, err := empty.WriteTo(&header); err != nil {
			return nil, err
		}
		made.columns = strings.TrimSpace(header.String())
	}
	if made.byHand, err = handwriter(file, export.Kind, demo.LiveKey); err != nil {
		return nil, err
	}
	if made.byHand != nil {
		if !bytes.Equal(text.Bytes(), made.writeByHand(nil)) {
			return nil, fmt.Errorf("the writer by hand and the plan do not write the same %d bytes", text.Len())
		}
	}
	view := randomOver(people, scope.View, made.first, made.last)
	made.random, made.anyRows = file.WithView(view), float64(int64(view.perUnit)*(made.last-made.first))
	return made, nil
}

// everything is the request for all that an export can tell.
func everything(library *schemas.Library, export schemas.Export) (exports.File, error) {
	now := time.Date(2025, 9, 20, 12, 0, 0, 0, time.UTC)
	template := exports.TemplateOf(library, export)
	request := template.Everything()
	for name, date := range map[string]string{"from": now.AddDate(0, 0, -89).Format(template.DateLayout), "to": "now"} {
		if template.Has(name) {
			request[name] = date
		}
	}
	variables := map[string]string{}
	for _, name := range exports.Placeholders(export.Path) {
		variables[name] = "welcome"
	}
	// The writer by hand writes tidy values.
	planner := exports.Planner{Seed: 1, Profiles: 1_000_000, Settings: world.Settings{Texture: texture.Tidy}, PartSize: 1 << 40}
	plan, err := planner.Plan(export, variables, demo.LiveKey, exports.Members(request), now)
	return plan.File, err
}

// round measures every writer once.
func (s *subject) round(ctx context.Context, set settings) error {
	turn := set.round / 15
	write := func(file *rows.File) func() error {
		return func() error {
			_, err := file.Write(ctx, io.Discard, s.shard, nil)
			return err
		}
	}
	buffer := make([]byte, 0, 1<<20)
	for _, each := range []struct {
		into *samples
		run  func() error
	}{
		{&s.found, write(s.file)},
		{&s.hand, func() error { buffer = s.writeByHand(buffer); return nil }},
		{&s.anyFound, write(s.random)},
	} {
		if each.into == &s.hand && s.byHand == nil {
			continue
		}
		seconds, err := timed(turn, each.run)
		if err != nil {
			return err
		}
		*each.into = append(*each.into, seconds)
	}
	return nil
}

// writeByHand writes the units of the shard, and keeps all of it only for the comparison of bytes.
func (s *subject) writeByHand(buffer []byte) []byte {
	keep := buffer == nil
	for unit := s.first; unit < s.last; unit++ {
		if !keep && len(buffer) > 256<<10 {
			buffer = buffer[:0]
		}
		buffer = s.byHand(buffer, unit)
	}
	return buffer
}

// timed repeats a run for a while and returns the median of the seconds of processor time it took.
func timed(while time.Duration, run func() error) (float64, error) {
	var took samples
	for began := time.Now(); len(took) == 0 || time.Since(began) < while; {
		start := processorUsed()
		if err := run(); err != nil {
			return 0, err
		}
		took = append(took, (processorUsed() - start).Seconds())
	}
	return took.median(), nil
}

// ratios are those of two measurements that were made in the same rounds.
func ratios(of, to samples) samples {
	var list samples
	for i := range min(len(of), len(to)) {
		list = append(list, of[i]/to[i])
	}
	return list
}

func (s *subject) print(out io.Writer, copied float64) {
	seconds := s.found.median()
	rate := s.bytes / 1e6 / seconds
	hand, gofakeit, faker := "-", "not measured", "not measured"
	gofakeitAim := float64(aimGofakeitCSV)
	if s.export.Format == "json" {
		gofakeitAim = aimGofakeitJSON
	}
	if len(s.hand) > 0 {
		hand = atLeast(ratios(s.hand, s.found).median(), aimHand)
	}
	if len(s.gofakeit) > 0 {
		gofakeit = atLeast(rate*1e6/s.gofakeit.median(), gofakeitAim)
	}
	if len(s.faker) > 0 {
		faker = atLeast(rate*1e6/s.faker.median(), aimFaker)
	}
	coherent := ratios(s.found, s.anyFound).median() * s.anyRows / math.Max(s.rows, 1)
	fmt.Fprintf(out, "%s\t%.0f\t%.3f\t%s\t%s\t%s\t%s\t%s\n", s.export.Kind, rate, rate/copied, figure(s.rows/1e6/seconds),
		hand, gofakeit, faker, atMost(coherent, aimCoherent))
}

// copyRate is the rate of a plain memory copy of 64 MB.
func copyRate(s settings) (float64, error) {
	from, to := bytes.Repeat([]byte("rehearsal "), 64<<20/10), make([]byte, 64<<20) // a page that was never written costs nothing to read
	seconds, err := timed(s.round/3, func() error { copy(to, from); return nil })
	return float64(len(from)) / 1e6 / seconds, err
}
