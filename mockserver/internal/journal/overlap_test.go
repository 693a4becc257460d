package journal_test

import (
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// TestOverlap: nobody is blamed for not heeding an answer that was not there yet when the request was sent; whoever had it is.
func TestOverlap(t *testing.T) {
	const again = "create 400:MISSING_PARAMETER"
	for about, c := range map[string]struct{ code, overlap, followed string }{ // without a finding of that code, and with one
		"a refusal": {journal.RefusalRepeated,
			again + " took=2s; +1s " + again + " took=2s",
			again + " took=2s; +2s " + again + " took=2s"},
		"a refusal, known from the quicker one": {journal.RefusalRepeated,
			again + " took=5s; +1s " + again + " took=2s; +1s " + again + " took=1s",
			again + " took=2s; +1s " + again + " took=5s; +2s " + again + " took=1s"},
		"a wait": {journal.RetryAfterIgnored,
			"create x 503:MAINTENANCE_ERROR retry=60 took=2s; +1s create x took=1s",
			"create x 503:MAINTENANCE_ERROR retry=60 took=2s; +2s create x took=1s"},
		"a creation": {journal.CreatedAgain,
			"create x took=2s; +1s create y took=1s",
			"create x took=2s; +2s create y took=1s"},
		"a failure": {journal.PolledAfterFinal,
			"create x; +1s look x ERROR took=3s; +1s look x PENDING took=3s; +1s look x ERROR took=500ms",
			"create x; +1s look x ERROR took=3s; +3s look x ERROR took=1s"},
		"a success, told by the quicker lookup": {journal.PolledAfterFinal,
			"create x; +1s look x SUCCESS 1 took=9s; +1s look x SUCCESS 1 took=2s; +3s look x SUCCESS 1 took=1s",
			"create x; +1s look x SUCCESS 1 took=9s; +1s look x SUCCESS 1 took=2s; +3s look x SUCCESS 1 took=1s; +2s look x SUCCESS 1 took=1s"},
		"a download": {journal.DownloadAbandoned,
			"look x SUCCESS 1; +1s file x 1 took=5s; +1s file x 1 broken bytes=7 took=1s",
			"look x SUCCESS 1; +1s file x 1 took=500ms; +1s file x 1 broken bytes=7 took=1s"},
	} {
		for i, text := range []string{c.overlap, c.followed} {
			s := &story{now: noon, real: true, entries: journal.New(0, 1<<30)}
			s.tell(t, text)
			findings := journal.Judge(s.entries.List(journal.Filter{}, 0).Entries, journal.Judgement{})
			if found := slices.ContainsFunc(findings, func(f journal.Finding) bool { return f.Code == c.code }); found != (i == 1) {
				t.Errorf("%s: %s was found: %v, in %s", about, c.code, found, text)
			}
		}
	}
}
