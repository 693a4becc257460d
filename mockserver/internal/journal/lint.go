package journal

// Severity says how bad a finding is.
// See docs/explanation/journal-and-lints.md#why-are-some-lints-errors-and-others-warnings
type Severity string

const (
	// Error: the client loses data, or does what the specification rules out.
	Error Severity = "error"
	// Warning: it works, and costs time, requests or surprises.
	Warning Severity = "warning"
)

// Codes of lints.
const (
	PolledTooFast         = "polled_too_fast"
	RetryAfterIgnored     = "retry_after_ignored"
	DeadLinkUsed          = "dead_link_used"
	FinalStateNeverRead   = "final_state_never_read"
	PartSkipped           = "part_skipped"
	FileNeverDownloaded   = "file_never_downloaded"
	DownloadAbandoned     = "download_abandoned"
	CredentialsSentToLink = "credentials_sent_to_link"
	LookbackExceeded      = "lookback_exceeded"
	CreatedAgain          = "created_again"
	PolledAfterFinal      = "polled_after_final"
	RefusalRepeated       = "refusal_repeated"
	RateExceeded          = "rate_exceeded"
	NoSuchRoute           = "no_such_route"
)

// Lint is one thing that a client should not do.
type Lint struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	// Rule is what the specification of the export API says, with the number
	// of its section.
	Rule string `json:"rule"`
	// Advice is what the client should do instead.
	Advice string `json:"advice"`
}

// Lints lists everything that [Judge] looks for.
func Lints() []Lint {
	return []Lint{
		{DeadLinkUsed, Error,
			"sections 2.3 and 8: a download link expires 20 minutes after it is issued, and the file is kept for one month; looking the export up again yields a new link",
			"download as soon as a lookup gives a link; when a download is refused, look the export up again instead of trying the same link, and never build or alter a link"},
		{RetryAfterIgnored, Error,
			"sections 7 and 8: MAINTENANCE_ERROR (503) and the limit of filtered profile exports (429) are answered with the header Retry-After, the seconds until a request can succeed",
			"wait as long as Retry-After says before the same request is sent again"},
		{PartSkipped, Error,
			"section 2.7, and the lookup of profile exports (an extension): a large result is split into parts, and only all of them together are the result",
			"download every file that the lookup lists"},
		{DownloadAbandoned, Error,
			"section 2.4 and 2.7: the result is the whole file; a part of it ends in the middle of a row",
			"compare what was received with Content-Length, and fetch the rest with Range, or the file again"},
		{CredentialsSentToLink, Error,
			"section 2.3: a link to a file is complete by itself; section 5 asks for credentials on the API only, and object stores refuse a request that has two",
			"drop Authorization and X-Authorization when a link or a redirect leads to a file"},
		{NoSuchRoute, Error,
			"section 4: these paths and methods are all there are",
			"compare path and method with the specification; the answer names the path that was probably meant"},
		{RateExceeded, Warning,
			"section 8: 5 filtered profile exports an hour, one every 12 minutes, at most 10 at once",
			"space filtered exports out, or leave filter out and select afterwards"},
		{CreatedAgain, Warning,
			"section 1: creating an export returns an identifier, which is used to ask for its status",
			"keep the identifier and look that export up until it is final, before the same one is asked for again"},
		{LookbackExceeded, Warning,
			"section 1, rule 1: data older than the lookback of 90 days is silently missing from legacy files, even if from asks for it",
			"let from begin within the last 90 days, and fetch older events while they are there"},
		{PolledTooFast, Warning,
			"section 1: exports run asynchronously; the specification states no interval for lookups, and production has limits that it does not show",
			"wait between lookups, longer each time"},
		{FinalStateNeverRead, Warning,
			"sections 2.3 and 3: an export is over when its status is SUCCESS or ERROR",
			"look the export up until its status is SUCCESS or ERROR, and treat both as the end"},
		{FileNeverDownloaded, Warning,
			"section 1: an export exists for the link to the generated file",
			"download the file of an export that is SUCCESS"},
		{PolledAfterFinal, Warning,
			"section 3: SUCCESS and ERROR are final; nothing changes after them, and a lookup after SUCCESS is of use only for a new link",
			"stop looking an export up once its status is final, unless a new link is needed"},
		{RefusalRepeated, Warning,
			"section 7: a refusal with 400, 401, 403, 404 or 409 says what is wrong with the request",
			"read code and message, and change the request instead of sending it again"},
	}
}

// Finding is one lint in the behaviour of one client.
type Finding struct {
	Lint
	// Key is the application or project key of the client; empty when no
	// request told.
	Key string `json:"key,omitempty"`
	// Export is the export that it is about, if it is about one.
	Export string `json:"export,omitempty"`
	// Message says what happened.
	Message string `json:"message"`
	// Count is how often it happened; Requests are the sequences of the first
	// requests that show it, at most ten.
	Count    int      `json:"count"`
	Requests []uint64 `json:"requests"`
}

// evidence is how many sequences a finding names.
const evidence = 10

// add counts another request.
func (f *Finding) add(sequence uint64) {
	f.Count++
	if len(f.Requests) < evidence {
		f.Requests = append(f.Requests, sequence)
	}
}
