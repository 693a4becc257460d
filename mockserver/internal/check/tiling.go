package check

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"

// filePair is what two files of one stream have in common in the time that they share.
// See docs/how-to/validate-real-files.md#when-do-two-files-of-one-export-disagree
type filePair struct {
	both, onlyOne       int64
	duplicates, missing []sharedRow // examples of rows that both have, and that only one has
}

// sharedRow is a row in the time that two files share. Missing says that the other file lacks it.
type sharedRow struct {
	time  moment
	at    place
	other place
	event string // of a push message
}

// maxExamples bounds how many rows are kept per pair of files when all findings are wanted.
const maxExamples = 10_000

// overlap is the time that two files share: from the later begin to the earlier end, both inside.
func (e *engine) overlap(a, b *file) (shared interval, any bool) {
	if !a.dated || !b.dated || a.stream != b.stream || a.export.Kind != b.export.Kind || a.continues(b) {
		return shared, false
	}
	shared = interval{max(a.innerSpan().from, b.innerSpan().from), min(a.innerSpan().to, b.innerSpan().to)}
	return shared, shared.from <= shared.to
}

// innerSpan is the time that the file certainly covers, its end inside.
func (f *file) innerSpan() interval {
	inner := interval{f.first.time, f.last.time}
	if !f.input.From.IsZero() {
		inner.from = momentOf(f.input.From)
	}
	if !f.input.To.IsZero() {
		inner.to = momentOf(f.input.To) - 1
	}
	return inner
}

// compareFiles counts the rows of one entity at one instant in every two files that share that time.
func (e *engine) compareFiles(at moment, rows []seenRow) {
	if !e.checks(rules.Tiling) || len(e.files) < 2 {
		return
	}
	for i, r := range rows {
		if find(rows, r, r.file) != &rows[i].place {
			continue // counted with the first of its like
		}
		f := e.files[r.file]
		for _, other := range f.overlapping {
			shared, any := e.overlap(f, other)
			if !any || at < shared.from || at > shared.to || other.types[r.kind] == 0 || f.key() != other.key() {
				continue
			}
			twin := find(rows, r, other.index)
			if twin != nil && other.index < f.index {
				continue // counted from the other side
			}
			between := e.pair(f, other)
			if twin != nil {
				between.both++
				between.duplicates = e.appendExample(between.duplicates, sharedRow{time: at, at: *twin, other: r.place})
			} else {
				between.onlyOne++
				between.missing = e.appendExample(between.missing, sharedRow{time: at, at: r.place, other: place{other.index, 0, 0}})
			}
		}
	}
}

// findOverlaps notes for every file the others that share time with it.
func (e *engine) findOverlaps() {
	for _, f := range e.files {
		for _, other := range e.files {
			if _, any := e.overlap(f, other); any && other != f {
				f.overlapping = append(f.overlapping, other)
			}
		}
	}
}

// find returns the place of the first row of a file that is like another.
func find(rows []seenRow, like seenRow, file int32) *place {
	for i := range rows {
		if rows[i].file == file && rows[i].digest == like.digest && rows[i].kind == like.kind {
			return &rows[i].place
		}
	}
	return nil
}

func (e *engine) pair(a, b *file) *filePair {
	key := [2]int32{min(a.index, b.index), max(a.index, b.index)}
	if e.pairs[key] == nil {
		e.pairs[key] = &filePair{}
	}
	return e.pairs[key]
}

func (e *engine) appendExample(list []sharedRow, r sharedRow) []sharedRow {
	most := maxExamples
	if e.options.MaxFindings > 0 {
		most = min(e.options.MaxFindings, most)
	}
	if len(list) < most {
		list = append(list, r)
	}
	return list
}

// key is the source by which the rows of the file were sorted.
func (f *file) key() source {
	for _, s := range []source{profileID, installationID, customID} {
		if f.known.has(s) {
			return s
		}
	}
	return advertisingID
}

// reportPairs reports what the files of every pair disagree about. When most rows of the shared time are in
// both, the windows overlap, and a row that is in one file only is missing in the other. When few are, the
// windows touch or the requests differ, and a row that is in both is there twice.
func (e *engine) reportPairs() {
	for a := range e.files {
		for b := a + 1; b < len(e.files); b++ {
			between := e.pairs[[2]int32{int32(a), int32(b)}]
			if between != nil {
				e.reportPair(e.files[a], e.files[b], between)
			} else if e.files[a].dated && e.files[b].dated && e.files[a].stream == e.files[b].stream {
				e.tallies[rules.Tiling].checked++ // they share no time with events
			}
		}
	}
}

func (e *engine) reportPair(a, b *file, between *filePair) {
	t := e.tallies[rules.Tiling]
	shared, _ := e.overlap(a, b)
	inside := a.innerSpan().from >= b.innerSpan().from && a.innerSpan().to <= b.innerSpan().to || b.innerSpan().from >= a.innerSpan().from &&
		b.innerSpan().to <= a.innerSpan().to
	touching := shared.from == shared.to && !inside && a.input.To.IsZero() && b.input.To.IsZero()
	all := between.both + between.onlyOne
	switch {
	case 2*between.both >= all && !touching:
		t.checked += between.both
		for _, r := range between.missing {
			e.assert(rules.Tiling, false, r.at, nil, "%s covers %s and lacks this row", e.files[r.other.file].input.Name, r.time)
		}
		t.checked, t.violations = t.checked+between.onlyOne-int64(len(between.missing)), t.violations+between.onlyOne-int64(len(between.missing))
	case a.ambiguous || b.ambiguous:
		e.note(rules.Tiling, "nothing says whether %s and %s are of the same campaign; --campaign FILE=NAME does", a.input.Name, b.input.Name)
	default:
		t.checked += between.onlyOne
		for _, r := range between.duplicates {
			e.assert(rules.Tiling, false, r.at, &r.other,
				"the row is in two files whose windows hardly meet: it comes twice, or one of them has the end of its window inside")
		}
		t.checked, t.violations = t.checked+between.both-int64(len(between.duplicates)), t.violations+between.both-int64(len(between.duplicates))
	}
}
