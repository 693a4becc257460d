package journal

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// DefaultPollInterval is how far apart two lookups of an export should be.
const DefaultPollInterval = time.Second

// unevenness is the part of the poll interval that timers and networks may take from a client that keeps it.
const unevenness = 50

// Judgement says how a client is judged. The zero value uses the defaults.
type Judgement struct {
	// PollInterval is how far apart two lookups of an unfinished export should be, by the clock of the server; 0 means
	// DefaultPollInterval, a negative one allows any.
	PollInterval time.Duration
	// Underway leaves out what the client may still do: read a final state, download a file, fetch the other parts.
	Underway bool
	// Apart tells that the client may have asked other servers too: what they would know is not judged.
	Apart bool
	// Key, if set, keeps only findings about clients with this key.
	Key string
	// Dialect is how the interface of a request speaks; nil: as the specification has it.
	Dialect func(*Entry) Dialect
}

// Dialect is how an interface speaks.
type Dialect struct {
	// Severities are those of lints that are not as bad as usual, by code.
	Severities map[string]string
	// Done, Failed and Expired are what it calls the ends of an export; Expired is empty where that is none of its own.
	Done, Failed, Expired string
	// RetryAfter is the header that says how long to wait, and Credentials names those that do not belong to a link.
	RetryAfter, Credentials string
	// LinkLifetime and Lifetime say in words how long its links work and its files are kept; empty for the numbers of the specification.
	LinkLifetime, Lifetime string
	// Added tells that the specification does not have the interface: rules are those of the schema files File, of the interface
	// called Title, and Output and Request of the export.
	Added                        bool
	File, Title, Output, Request string
}

// ofAll are the lints that only all requests of a client tell: what one server has not seen may have come to another.
var ofAll = []string{
	FinalStateNeverRead, FileNeverDownloaded, PartSkipped, DownloadAbandoned, FilePartlyRead, PolledAfterFinal, CreatedAgain,
}

// Silent lists the lints that are not judged.
func (how Judgement) Silent() []string {
	if how.Apart {
		return ofAll
	}
	return nil
}

// specified is how both interfaces speak in the specification (export API section 3).
var specified = Dialect{Done: "SUCCESS", Failed: "ERROR", RetryAfter: "Retry-After", Credentials: "Authorization and X-Authorization"}

func (d Dialect) final(status string) bool {
	return status == d.Done || status == d.Failed || d.Expired != "" && status == d.Expired
}

// Judge finds what the clients that sent these requests should not do. The entries must be in the order in which the requests came, and
// complete: what a journal dropped or cleared cannot be judged. Requests may overlap: nobody is blamed for not heeding an answer that was
// not there yet. Time is that of the server's clock, so the findings do not depend on how fast the machine is. Answers that were forced
// say nothing about a client and are passed over, except for their Retry-After.
//
// Requests are told apart by key and export: several clients with one key look like one client. See
// docs/how-to/lint-a-client.md#by-which-clock-are-lints-judged
func Judge(entries []Entry, how Judgement) []Finding {
	if how.PollInterval == 0 {
		how.PollInterval = DefaultPollInterval
	}
	if how.Dialect == nil {
		how.Dialect = func(*Entry) Dialect { return specified }
	}
	j := &judge{
		how: how, histories: map[string]*history{}, findings: map[string]*Finding{},
		waits: map[string]*Entry{}, refusals: map[string]*Entry{}, creations: map[string]*history{},
	}
	for i := range entries {
		j.request(&entries[i])
	}
	if !how.Underway {
		for _, id := range j.order {
			j.end(j.histories[id])
		}
	}
	return j.sorted()
}

// judge is one pass over a journal.
type judge struct {
	how       Judgement
	histories map[string]*history // by export
	order     []string            // of the exports
	findings  map[string]*Finding // by code, key and what it is about
	waits     map[string]*Entry   // the last answer with Retry-After, by what should wait
	refusals  map[string]*Entry   // the last refusal, by request
	creations map[string]*history // the last export, by what was asked for
}

// history is what was done with one export.
type history struct {
	id, key string
	created *Entry
	lookup  *Entry // the last one
	seen    *Entry // the last request that told its status: a lookup, or a list
	final   *Entry // the first lookup that read a final state
	told    *Entry // the callback that was taken
	idle    int    // lookups after it, since a file was asked for

	parts      int            // of the file
	downloaded map[int]*Entry // by part: the last download
	retried    map[int]bool   // by part: a scenario broke off the last download and the one before it
	received   map[int]coverage

	// A scenario answered the last lookup, or the last request for a file,
	// with something else: whether the client would have read on is unknown.
	unanswered, withheld bool
	// A scenario keeps it from ending, or SUCCESS from having a link: looking it up again is all that is left.
	stuck, linkless bool
}

func (j *judge) history(id string) *history {
	h, known := j.histories[id]
	if !known {
		h = &history{id: id, downloaded: map[int]*Entry{}, retried: map[int]bool{}, received: map[int]coverage{}}
		j.histories[id] = h
		j.order = append(j.order, id)
	}
	return h
}

// find reports a request. Findings with the same code, key and subject are one.
func (j *judge) find(code, key, export, subject string, entry *Entry, message string) {
	if slices.Contains(j.how.Silent(), code) {
		return
	}
	name := strings.Join([]string{code, key, export, subject}, "\x00")
	finding, known := j.findings[name]
	if !known {
		its := j.how.Dialect(entry)
		lints := lintsOf(its)
		at := slices.IndexFunc(lints, func(lint Lint) bool { return lint.Code == code })
		finding = &Finding{Lint: lints[at], Key: key, Export: export, Message: message}
		if its.Added {
			finding.Rule, finding.Advice = its.Cited(finding.Lint), strings.ReplaceAll(finding.Advice, "the specification", "its schema files")
		}
		if code == DeadLinkUsed && its.LinkLifetime != "" {
			finding.Rule = "a link works for " + its.LinkLifetime + ", and a file is kept for " + its.Lifetime + ": " + its.Cited(finding.Lint)
		}
		if severity := its.Severities[code]; severity != "" {
			finding.Severity = Severity(severity)
		}
		j.findings[name] = finding
	}
	finding.add(entry.Sequence)
}

// request judges one request by those before it.
func (j *judge) request(e *Entry) {
	if e.Unjudged {
		return
	}
	if e.Stage == StageCallback {
		if e.Status/100 == 2 {
			j.history(e.Export).told = e
		}
		return
	}
	j.patience(e)
	j.repetition(e)
	for _, doubt := range e.Doubts.Placeholders {
		j.find(PlaceholderInPath, e.Key, e.Export, doubt.Name, e,
			fmt.Sprintf("%s is %q, a placeholder that nothing was put into", doubt.Name, doubt.Likely))
	}
	if e.NotRecorded != "" {
		j.find(NotInRecording, e.Key, "", e.NotRecorded, e, fmt.Sprintf("%s %s has no recorded answer: %s", e.Method, e.Path, e.NotRecorded))
	}
	switch {
	case e.Forced() || e.Broken && (e.Part == 0 || e.Status == 0):
		j.hindered(e)
	case e.Route == "" && e.Stage == "file":
		j.find(FilePosted, e.Key, "", e.Method, e, fmt.Sprintf("a file was asked for with %s", e.Method))
	case e.Route == "" && e.Interface != "":
		j.find(NoSuchRoute, e.Key, "", e.Method+" "+e.Path, e, fmt.Sprintf("%s %s is no route of the export API", e.Method, e.Path))
	case e.Error != nil && e.Status == 429:
		j.find(RateExceeded, e.Key, "", e.Route, e, "exports were asked for faster than the limit allows")
	case e.Stage == "file":
		j.file(e)
	case e.ExportStatus != "":
		j.lookedUp(e)
	case e.Listed != nil:
		j.listed(e)
	case e.Export != "" && e.Status/100 == 2 && e.Part == 0:
		j.createdNow(e)
	}
}

// hindered notes a request to which a scenario gave no answer, or not the whole of one: the client knows nothing of an export from it,
// and does well to ask again. See docs/how-to/lint-a-client.md#how-do-lints-judge-a-client-under-a-scenario
func (j *judge) hindered(e *Entry) {
	switch {
	case e.Export == "" || e.Method == "POST":
	case e.Stage == "file" || e.Stage == "download":
		h := j.history(e.Export)
		h.idle, h.withheld = 0, true
	default:
		j.history(e.Export).unanswered = true
	}
}

// patience looks for requests that come before Retry-After is over.
func (j *judge) patience(e *Entry) {
	// Another payload or another export is another request.
	scope := fmt.Sprint(e.Key, "\x00", e.Method, "\x00", e.Path, "\x00", e.Route, "\x00", e.digest)
	if e.Stage == "status" || e.Stage == "download" {
		scope += "\x00" + e.Query
	}
	if refused := j.waits[scope]; refused != nil {
		wait := time.Duration(refused.RetryAfter) * time.Second
		until := refused.Time.Add(wait)
		// A client that does not know of a clock that stands still waits by its
		// own; and one that asks several times at once has no answer yet.
		apart := e.RealTime.Sub(refused.RealTime)
		waited := e.ClockFrozen && e.Time.Equal(refused.Time) && apart >= wait
		unanswered := apart.Seconds() < refused.Duration
		if e.Time.Before(until) && !e.Time.Before(refused.Time) && !waited && !unanswered {
			j.find(RetryAfterIgnored, j.keyOf(e), e.Export, scope, e, fmt.Sprintf("%s %s was sent again %s after an answer %d with %s: %d",
				e.Method, e.Path, e.Time.Sub(refused.Time).Round(time.Millisecond), refused.Status, j.how.Dialect(e).RetryAfter, refused.RetryAfter))
		}
	}
	delete(j.waits, scope)
	if e.RetryAfter > 0 {
		j.waits[scope] = e
	}
}

// repetition looks for requests that were refused before and not changed.
func (j *judge) repetition(e *Entry) {
	scope := fmt.Sprint(e.Key, "\x00", e.Method, "\x00", e.Path, "\x00", e.Query, "\x00", e.digest)
	before := j.refusals[scope]
	delete(j.refusals, scope)
	if e.Error == nil || e.Forced() || e.Stage == "file" || !slices.Contains([]int{400, 401, 403, 404, 409}, e.Status) {
		return
	}
	if before != nil && *before.Error == *e.Error && e.knows(before) {
		j.find(RefusalRepeated, e.Key, "", scope, e, fmt.Sprintf("%s %s was sent again unchanged after it was refused with %s: %s",
			e.Method, e.Path, e.Error.Name, e.Error.Message))
	}
	switch {
	case e.Broken: // the client may not have read why
	case before != nil && !e.knows(before) && before.answered().Before(e.answered()):
		j.refusals[scope] = before // the first that it knew
	default:
		j.refusals[scope] = e
	}
}

// createdNow notes a new export.
func (j *judge) createdNow(e *Entry) {
	h := j.history(e.Export)
	h.key, h.created = e.Key, e
	h.stuck, h.linkless = e.under("progress=stuck"), e.under("link=none")
	scope := fmt.Sprint(e.Key, "\x00", e.Path, "\x00", e.RequestBytes, "\x00", e.digest)
	if before := j.creations[scope]; before != nil && before.final == nil && e.knows(before.created) {
		j.find(CreatedAgain, e.Key, before.id, "", e, fmt.Sprintf("the same %s export was created again before export %s was seen to end", e.Kind,
			before.id))
	}
	j.creations[scope] = h
	if e.Asked != nil && e.Oldest != nil {
		j.find(LookbackExceeded, e.Key, e.Export, "", e, fmt.Sprintf("from (%s) is older than the lookback; the file begins at %s without a word",
			e.Asked.Format(time.RFC3339), e.Oldest.Format(time.RFC3339)))
	}
	for _, doubt := range e.Doubts.WithoutDollar {
		j.find(NativeNameWithoutDollar, e.Key, e.Export, doubt.Name, e,
			fmt.Sprintf("%s was asked for, a custom attribute; %s is the native one", doubt.Name, doubt.Likely))
	}
	for _, doubt := range e.Doubts.Undeclared {
		message := fmt.Sprintf("the custom attribute %s was asked for, which neither schemas nor dataset declare", doubt.Name)
		if doubt.Likely != "" {
			message += "; did you mean " + doubt.Likely + "?"
		}
		j.find(UndeclaredAttribute, e.Key, e.Export, doubt.Name, e, message)
	}
	if e.Doubts.NoEvents != "" {
		j.find(WindowWithoutEvents, e.Key, e.Export, "", e, e.Doubts.NoEvents)
	}
}

// lookedUp judges a lookup that was answered.
func (j *judge) lookedUp(e *Entry) {
	h := j.history(e.Export)
	h.key = e.Key
	before := h.lookup
	h.lookup, h.seen, h.unanswered = e, e, false
	if h.final != nil && !e.knows(h.final) {
		// It was asked for before the final state was there.
	} else if h.final != nil {
		h.idle++
		if h.final.ExportStatus == j.how.Dialect(e).Failed || h.idle > 1 && !h.linkless {
			j.find(PolledAfterFinal, e.Key, e.Export, "", e,
				fmt.Sprintf("the export was looked up again after it was seen as %s, and nothing was downloaded in between", h.final.ExportStatus))
		}
	} else if before != nil {
		apart := e.Time.Sub(before.Time)
		// A clock that stands still, or was set back, tells no interval.
		if apart >= 0 && apart < j.how.PollInterval-j.how.PollInterval/unevenness && !(e.ClockFrozen && apart == 0) {
			j.find(PolledTooFast, e.Key, e.Export, "", e, fmt.Sprintf("lookups of an unfinished export came less than %s apart, first after %s",
				j.how.PollInterval, apart.Round(time.Microsecond)))
		}
	}
	if j.how.Dialect(e).final(e.ExportStatus) {
		h.ends(e)
		h.parts = max(h.parts, e.Parts)
	}
}

// ends notes a request that told of a final state: of those that overlapped, the one that was answered first.
func (h *history) ends(e *Entry) {
	if h.final == nil || e.answered().Before(h.final.answered()) {
		h.final = e
	}
}

// listed notes what a list showed: a client may follow its exports by lists alone.
func (j *judge) listed(e *Entry) {
	for _, shown := range e.Listed {
		h := j.history(shown.Export)
		h.key, h.unanswered = e.Key, false
		seen := *e
		seen.Export, seen.ExportStatus = shown.Export, shown.Status
		h.seen = &seen
		if j.how.Dialect(e).final(shown.Status) {
			h.ends(&seen)
			h.parts = max(h.parts, shown.Parts)
		}
	}
}

// file judges a request for a file.
func (j *judge) file(e *Entry) {
	key := j.keyOf(e)
	if len(e.Credentials) > 0 && !e.Redirected {
		j.find(CredentialsSentToLink, key, e.Export, "", e, "a download carried "+strings.Join(e.Credentials, " and "))
	}
	if e.Export != "" {
		h := j.history(e.Export)
		h.idle, h.withheld = 0, false
	}
	if e.Error != nil {
		switch e.Error.Name {
		case "LINK_EXPIRED", "FILE_EXPIRED", "LINK_INVALID":
			j.find(DeadLinkUsed, key, e.Export, e.Error.Name, e, fmt.Sprintf("a download was refused with %s: %s", e.Error.Name, e.Error.Message))
		}
		return
	}
	if e.Export == "" || e.Part == 0 || e.Method == "HEAD" || e.Status != 200 && e.Status != 206 {
		return
	}
	h := j.history(e.Export)
	h.key = key
	before := h.downloaded[e.Part]
	if before == nil || !e.Broken || before.Broken || !before.answered().After(e.answered()) { // else the whole of it came later
		h.retried[e.Part] = before != nil && before.brokenOff() && e.brokenOff()
		h.downloaded[e.Part] = e
	}
	h.received[e.Part] = h.received[e.Part].add(e)
}

// keyOf is the key of a client: that of the request, or of the export it is about.
func (j *judge) keyOf(e *Entry) string {
	if e.Key == "" && e.Export != "" {
		if h := j.histories[e.Export]; h != nil {
			return h.key
		}
	}
	return e.Key
}
