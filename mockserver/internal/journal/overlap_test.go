package journal_test

import (
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// spoken is a request that began some time after noon, and whose answer took so long.
func spoken(began, took time.Duration, entry journal.Entry) journal.Entry {
	entry.Time, entry.RealTime, entry.Duration = noon.Add(began), noon.Add(began), took.Seconds()
	if entry.Method == "" {
		entry.Method = "GET"
	}
	if entry.Status == 0 {
		entry.Status = 200
	}
	return entry
}

// TestOverlap: nobody is blamed for not heeding an answer that was not there yet when the request was sent; whoever had it is.
func TestOverlap(t *testing.T) {
	const second = time.Second
	again := refused(created("x"), 400, "MISSING_PARAMETER")
	again.Export = ""
	broken := file("x", 1)
	broken.Broken, broken.ResponseBytes = true, 7
	whole := file("x", 1)
	final, failed, running := lookup("x", "SUCCESS", 1), lookup("x", "ERROR", 0), lookup("x", "PENDING", 0)
	for about, c := range map[string]struct {
		code     string
		overlap  []journal.Entry // without a finding of that code
		followed []journal.Entry // with one
	}{
		"a refusal": {
			journal.RefusalRepeated,
			[]journal.Entry{spoken(0, 2*second, again), spoken(second, 2*second, again)},
			[]journal.Entry{spoken(0, 2*second, again), spoken(2*second, 2*second, again)},
		},
		"a refusal, known from the quicker one": {
			journal.RefusalRepeated,
			[]journal.Entry{spoken(0, 5*second, again), spoken(second, 2*second, again), spoken(2*second, second, again)},
			[]journal.Entry{spoken(0, 2*second, again), spoken(second, 5*second, again), spoken(3*second, second, again)},
		},
		"a wait": {
			journal.RetryAfterIgnored,
			[]journal.Entry{spoken(0, 2*second, retry(refused(created("x"), 503, "MAINTENANCE_ERROR"), 60)), spoken(second, second, created("x"))},
			[]journal.Entry{spoken(0, 2*second, retry(refused(created("x"), 503, "MAINTENANCE_ERROR"), 60)), spoken(2*second, second, created("x"))},
		},
		"a creation": {
			journal.CreatedAgain,
			[]journal.Entry{spoken(0, 2*second, created("x")), spoken(second, second, created("y"))},
			[]journal.Entry{spoken(0, 2*second, created("x")), spoken(2*second, second, created("y"))},
		},
		"a failure": {
			journal.PolledAfterFinal,
			[]journal.Entry{spoken(0, 0, created("x")), spoken(second, 3*second, failed), spoken(2*second, 3*second, running),
				spoken(3*second, second/2, failed)},
			[]journal.Entry{spoken(0, 0, created("x")), spoken(second, 3*second, failed), spoken(4*second, second, failed)},
		},
		"a success, told by the quicker lookup": {
			journal.PolledAfterFinal,
			[]journal.Entry{spoken(0, 0, created("x")), spoken(second, 9*second, final), spoken(2*second, 2*second, final),
				spoken(5*second, second, final)},
			[]journal.Entry{spoken(0, 0, created("x")), spoken(second, 9*second, final), spoken(2*second, 2*second, final),
				spoken(5*second, second, final), spoken(7*second, second, final)},
		},
		"a download": {
			journal.DownloadAbandoned,
			[]journal.Entry{spoken(0, 0, final), spoken(second, 5*second, whole), spoken(2*second, second, broken)},
			[]journal.Entry{spoken(0, 0, final), spoken(second, second/2, whole), spoken(2*second, second, broken)},
		},
	} {
		t.Run(about, func(t *testing.T) {
			for name, story := range map[string][]journal.Entry{"overlap": c.overlap, "followed": c.followed} {
				for i := range story {
					story[i].Sequence = uint64(i) + 1
				}
				found := false
				for _, each := range journal.Judge(story, journal.Judgement{}) {
					found = found || each.Code == c.code
				}
				if found != (name == "followed") {
					t.Errorf("%s: %s was found: %v", name, c.code, found)
				}
			}
		})
	}
}
