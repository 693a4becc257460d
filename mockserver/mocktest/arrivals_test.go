package mocktest_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

// TestArrivals: the report has every row once, those after the first page of the control API too, and its sums are those of the files.
func TestArrivals(t *testing.T) {
	t.Parallel()
	mock := mocktest.Start(t, mocktest.Options{Now: noon, Server: mockserver.Options{Profiles: 1_000}})
	options := mocktest.ExportOptions{From: noon.AddDate(0, 0, -7), To: noon, Scenario: "progress=now;late=1,72h;duplicates=1;skew=1,2h"}
	first := mock.Create("profiles.events", options)
	before, told := bytes.Join(first.Download(), nil), mock.Arrivals(first.ID)
	if told.Arrival != "late=1,72h0m0s;duplicates=1;skew=1,2h0m0s" || told.Twice.Rows <= 1000 || told.Missing.Rows == 0 ||
		told.Missing.Rows >= 1000 || told.Skewed.Rows == 0 {
		t.Fatalf("%q: %d missing, %d twice and %d with a wrong date do not need more pages than one", told.Arrival, told.Missing.Rows,
			told.Twice.Rows, told.Skewed.Rows)
	}
	if rows := int64(bytes.Count(before, []byte(`"event_type"`))); rows != told.Rows {
		t.Errorf("the file has %d rows, the report %d", rows, told.Rows)
	}
	for name, some := range map[string]mocktest.ArrivingRows{"missing": told.Missing, "twice": told.Twice, "skewed": told.Skewed} {
		seen := map[string]bool{}
		for _, row := range some.Examples {
			if seen[row.Row] = true; row.HappenedAt.IsZero() || row.ArrivesAt.Before(row.HappenedAt) ||
				strings.Contains(string(before), row.Row) == (name == "missing") {
				t.Errorf("%s: %+v", name, row)
			}
		}
		if int64(len(seen)) != some.Rows || len(seen) != len(some.Examples) {
			t.Errorf("%s: %d rows, %d of them different, and the sum says %d", name, len(some.Examples), len(seen), some.Rows)
		}
	}
	mock.Clock().Set(told.CompleteAt)
	last := mock.Create("profiles.events", options)
	after := string(bytes.Join(last.Download(), nil))
	for _, row := range told.Missing.Examples {
		must.Hold(t, strings.Contains(after, row.Row), "%s: still not there: %s", told.CompleteAt, row.Row)
	}
	if complete := mock.Arrivals(last.ID); complete.Missing.Rows != 0 || !complete.CompleteAt.IsZero() {
		t.Errorf("%d rows are missing until %s", complete.Missing.Rows, complete.CompleteAt)
	}
}

func TestArrivalsOfNoFile(t *testing.T) {
	t.Parallel()
	failed(t, inside(func(tt mocktest.T) { mocktest.Start(tt, mocktest.Options{Now: noon}).Arrivals("what/ever") }),
		"/_mock/exports/what%2Fever/arrivals")
	failed(t, inside(func(tt mocktest.T) {
		mock := mocktest.Start(tt, mocktest.Options{Now: noon})
		mock.Arrivals(mock.Create("userbase", mocktest.ExportOptions{}).ID)
	}), "409")
}
