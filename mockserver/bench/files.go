package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// measureFiles makes a file of every kind on one core, and lets encoding/csv or encoding/json write the same rows. These are handed
// over decoded: the standard library only writes what this program makes up and writes.
func measureFiles(ctx context.Context, out io.Writer, _ programs, s settings) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	library, err := schemas.Embedded()
	if err != nil {
		return err
	}
	copied, err := copyRate(s)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nfiles, one core (memory copy: %.0f MB/s)\tMB\tMB/s\tof a copy\tencoding/* MB/s\tof encoding/*\n", copied)
	for _, export := range library.Exports() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := measureFile(out, library, export, s, copied); err != nil {
			return fmt.Errorf("%s: %w", export.Kind, err)
		}
	}
	fmt.Fprintln(out, "encoding/* is handed rows that are decoded already: it only writes what this program makes up and writes")
	return nil
}

func measureFile(out io.Writer, library *schemas.Library, export schemas.Export, s settings, copied float64) error {
	text, maximum, err := sample(library, export, s.bytes)
	if err != nil {
		return err
	}
	made, err := fastest(s, len(text), func() error { return generate(io.Discard, library, export, maximum) })
	if err != nil {
		return err
	}
	write, err := standardWriter(export, text)
	if err != nil {
		return err
	}
	standard, err := fastest(s, len(text), func() error { return write(io.Discard) })
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\t%d\t%.0f\t%.3f\t%.0f\t%.2f\n", export.Kind, len(text)>>20, made, made/copied, standard, made/standard)
	return nil
}

// sample makes a file of about the wanted size, and says how many rows it was limited to.
func sample(library *schemas.Library, export schemas.Export, wanted int64) ([]byte, int64, error) {
	var text bytes.Buffer
	rows := int64(10_000)
	if err := generate(&text, library, export, rows); err != nil {
		return nil, 0, err
	}
	rows = rows * wanted / int64(text.Len())
	text.Reset()
	err := generate(&text, library, export, rows)
	return text.Bytes(), rows, err
}

// lists are the lists of a request that asks for everything, by the kind or the family of kinds.
var lists = map[string]exports.File{
	"campaign":        {Events: []string{"push_sent", "push_open", "push_error"}},
	"transactional":   {Events: []string{"push_sent", "push_open", "push_error"}},
	"in-app-campaign": {Events: []string{"inapp_supplied", "inapp_shown", "inapp_clicked", "inapp_closed"}},
	"profiles.attributes": {
		Attributes: []string{"$creation_date", "$email_address", "$email_marketing", "$language", "$last_activity", "$last_visit_date",
			"$phone_number", "$push_subscriptions", "$region", "$sms_marketing", "$timezone"},
		Identifiers: []string{"custom_id", "installation_ids"},
	},
	"profiles.events": {
		Events: []string{"email_sent", "email_delivered", "email_open", "email_click", "email_bounced", "email_spam_complaint", "email_unsubscribed",
			"sms_sent", "sms_delivered", "sms_bounced", "sms_unsubscribed", "push_sent", "push_bounced", "push_open"},
		Identifiers: []string{"custom_id"},
	},
	"profiles.reachability": {Channels: []string{"push", "email", "sms"}, Identifiers: []string{"custom_id", "installation_id"}},
}

// generate makes a file of a world of a million people, on its way from the plan to the writer.
func generate(out io.Writer, library *schemas.Library, export schemas.Export, maximum int64) error {
	spec, known := lists[export.Kind]
	if !known {
		family, _, _ := strings.Cut(export.Kind, ".")
		spec = lists[family]
	}
	if export.Interface == "legacy" {
		spec.IDs = []string{"install_id", "custom_id", "advertising_id"}
		spec.Target = "welcome"
	}
	spec.Kind, spec.APIKey = export.Kind, "live_demo"
	spec.Now = time.Date(2025, 9, 20, 12, 0, 0, 0, time.UTC)
	spec.Window = exports.Window{From: spec.Now.AddDate(0, 0, -89), To: spec.Now}
	spec.MaxRows, spec.Seed, spec.Profiles = &maximum, 1, 1_000_000
	spec.WorldVersion, spec.SchemaDigest, spec.PartSize = world.Version, export.Digest, 1<<40
	file, err := rows.NewRenderer(library).Open(spec)
	if err != nil {
		return err
	}
	_, err = file.WriteTo(out)
	return err
}

// fastest repeats a run for a third of a round, at least twice, and returns the MB/s of the fastest one.
func fastest(s settings, size int, run func() error) (float64, error) {
	best := time.Duration(1<<63 - 1)
	for runs, began := 0, time.Now(); runs < 2 || time.Since(began) < s.round/3; runs++ {
		start := time.Now()
		if err := run(); err != nil {
			return 0, err
		}
		best = min(best, time.Since(start))
	}
	return float64(size) / 1e6 / best.Seconds(), nil
}

// copyRate is the rate of a plain memory copy of 64 MB.
func copyRate(s settings) (float64, error) {
	from, to := bytes.Repeat([]byte("rehearsal "), 64<<20/10), make([]byte, 64<<20) // a page that was never written costs nothing to read
	return fastest(s, len(from), func() error { copy(to, from); return nil })
}
