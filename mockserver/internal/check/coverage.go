package check

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// coverage says for which time the given files hold every event of a type. A file whose window is not
// known covers the time from its first event to its last, and a little more: as long as its events let expect.
// See docs/how-to/validate-real-files.md#what-can-mockserver-check-not-prove-from-files-alone
type coverage map[covered][]interval

// covered is a type of event, or a channel, in the files of one stream.
type covered struct{ stream, kind string }

type interval struct{ from, to moment }

// gapFactor is how many times the typical time between two events may pass without one before a window is taken to have
// ended. It is small, because a window that was cut short must not look like missing rows.
const gapFactor = 2

// nameStreams decides which files are parts of one export.
func (e *engine) nameStreams() {
	unnamed := map[string][]*file{} // by kind
	for _, f := range e.files {
		e.chooseKind(f)
		if f.isMessages() && f.input.Campaign == "" {
			unnamed[f.export.Kind] = append(unnamed[f.export.Kind], f)
		}
	}
	for _, f := range e.files {
		f.stream = f.export.Kind
		switch {
		case !f.isMessages():
		case f.input.Campaign != "":
			f.stream += " " + f.input.Campaign
		case len(unnamed[f.export.Kind]) > 1:
			f.ambiguous = true
		}
	}
}

// isMessages reports whether the file is of one campaign or group.
func (f *file) isMessages() bool {
	return f.export.View == vocabulary.ViewInstallationMessages || f.export.View == vocabulary.ViewInstallationRecipients
}

// chooseKind chooses between the kinds that a file may be of: the one with a stream of messages that another file has.
func (e *engine) chooseKind(f *file) {
	if len(f.candidates) < 2 || strings.Contains(f.input.Name, f.export.Kind) {
		return
	}
	for _, candidate := range f.candidates {
		for _, other := range e.files {
			if candidate.Stream != "" && len(other.candidates) == 1 && other.export.Stream == candidate.Stream {
				f.export = candidate
				return
			}
		}
	}
}

// streamName is the name of the stream of the file, unique where files may be of different campaigns.
func (f *file) streamName() string {
	if f.ambiguous {
		return f.stream + " #" + strconv.Itoa(int(f.index))
	}
	return f.stream
}

// buildCoverage works out the coverage.
func (e *engine) buildCoverage() {
	e.coverage = coverage{}
	repeats := slices.Contains(e.options.Arrival, "duplicates") // rows of the day before a window come again in it
	for _, f := range e.files {
		if !f.dated {
			continue
		}
		span := f.span()
		if f.input.From.IsZero() && repeats {
			span.from += day
		}
		for kind := range f.types {
			key := covered{f.streamName(), kind[strings.LastIndexByte(kind, 0)+1:]} // without the application key
			if !slices.Contains(e.coverage[key], span) {
				e.coverage[key] = append(e.coverage[key], span)
			}
		}
	}
	for key, spans := range e.coverage {
		slices.SortFunc(spans, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
		merged := spans[:1]
		for _, span := range spans[1:] {
			if last := &merged[len(merged)-1]; span.from <= last.to {
				last.to = max(last.to, span.to)
			} else {
				merged = append(merged, span)
			}
		}
		e.coverage[key] = merged
	}
}

// span is the time for which a file holds everything.
func (f *file) span() interval {
	span := interval{f.first.time, f.last.time}
	if f.rows > 1 {
		span.to += gapFactor * (f.last.time - f.first.time) / moment(f.rows-1)
	}
	if !f.input.From.IsZero() {
		span.from = momentOf(f.input.From)
	}
	if !f.input.To.IsZero() {
		span.to = momentOf(f.input.To)
	}
	if floor := f.export.NotBefore; !floor.IsZero() {
		span.from = max(span.from, momentOf(floor)) // the export tells of nothing before
	}
	return span
}

// covers reports whether files of a stream hold every event of a type from one moment to another.
func (c coverage) covers(stream, kind string, from, to moment) bool {
	for _, span := range c[covered{stream, kind}] {
		if span.from <= from {
			if to <= span.to {
				return true
			}
			continue
		}
		return false
	}
	return false
}
