package journal

import (
	"cmp"
	"fmt"
	"strings"
)

// Severity says how bad a finding is. See docs/how-to/lint-a-client.md#why-are-some-lints-errors-and-others-warnings
type Severity string

const (
	// Error: the client loses data, or does what the specification rules out.
	Error Severity = "error"
	// Warning: it works, and costs time, requests or surprises.
	Warning Severity = "warning"
	// Off: nobody wants to know.
	Off Severity = "off"
)

// Codes of lints.
const (
	PolledTooFast           = "polled_too_fast"
	RetryAfterIgnored       = "retry_after_ignored"
	DeadLinkUsed            = "dead_link_used"
	FinalStateNeverRead     = "final_state_never_read"
	PartSkipped             = "part_skipped"
	FileNeverDownloaded     = "file_never_downloaded"
	DownloadAbandoned       = "download_abandoned"
	CredentialsSentToLink   = "credentials_sent_to_link"
	LookbackExceeded        = "lookback_exceeded"
	CreatedAgain            = "created_again"
	PolledAfterFinal        = "polled_after_final"
	RefusalRepeated         = "refusal_repeated"
	RateExceeded            = "rate_exceeded"
	NoSuchRoute             = "no_such_route"
	FilePosted              = "file_posted"
	FilePartlyRead          = "file_partly_read"
	NativeNameWithoutDollar = "native_name_without_dollar"
	UndeclaredAttribute     = "undeclared_attribute"
	WindowWithoutEvents     = "window_without_events"
	PlaceholderInPath       = "placeholder_in_path"
	NotInRecording          = "not_in_recording"
)

// Lint is one thing that a client should not do.
type Lint struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	// Rule is the sentence that the client does not heed: of the specification of the export API, or of an RFC, with the number of its
	// section. What no sentence asks for begins with "advice, no rule".
	Rule string `json:"rule"`
	// Advice is what the client should do instead.
	Advice string `json:"advice"`
}

// Lints lists everything that [Judge] looks for, with advice in the words of the specification.
func Lints() []Lint { return lintsOf(specified) }

// lintsOf lists them with advice in the words of an interface; the rules are quoted.
func lintsOf(its Dialect) []Lint {
	return []Lint{
		{DeadLinkUsed, Error,
			"section 2.3: \"the link expires 20 minutes after it is issued; calling the API again yields a new link\"; section 1: \"Generated " +
				"files live for one month\"",
			"download as soon as a lookup gives a link; when a download is refused, look the export up again instead of trying the same link, and " +
				"never build or alter a link"},
		{RetryAfterIgnored, Error,
			"RFC 9110, section 10.2.3: \"Servers send the 'Retry-After' header field to indicate how long the user agent ought to wait before " +
				"making a follow-up request\"; sections 7 and 8 have such answers: MAINTENANCE_ERROR, and \"one new request allowed every 12 minutes\"",
			"wait as long as " + its.RetryAfter + " says before the same request is sent again"},
		{PartSkipped, Error,
			"section 1: a client may \"later obtain a link to the generated file\"; that a profile file has several parts is an addition of this " +
				"server, and all of them are the file",
			"download every file that the lookup lists"},
		{DownloadAbandoned, Error,
			"RFC 9112, section 8: \"A client that receives an incomplete response message [...] MUST record the message as incomplete\"; section " +
				"2.4 makes the file the result",
			"compare what was received with Content-Length, and fetch the rest with Range, or the file again"},
		{NoSuchRoute, Error,
			"section 7: ROUTE_NOT_FOUND is the answer where section 4 lists no endpoint",
			"compare path and method with the specification; the answer names the path that was probably meant"},
		{CredentialsSentToLink, Warning,
			"advice, no rule: section 5 lists the credentials of the interfaces and none of links, which section 2.3 calls \"link to " +
				"a CSV file\"; " +
				"object stores refuse a request that has two credentials, and a header that goes to another host is in its hands",
			"drop the headers with credentials, such as " + its.Credentials + ", when a link or a redirect leads to a file on another host"},
		{FilePosted, Error,
			"section 2.3: file_url is a \"link to a CSV file\"; RFC 9110, section 9.3.1: \"GET is the primary mechanism of information retrieval\"",
			"fetch the file with GET"},
		{RateExceeded, Warning,
			"section 8: \"5 requests per hour (one new request allowed every 12 minutes), burst up to 10\"",
			"space filtered exports out, or leave filter out and select afterwards"},
		{CreatedAgain, Warning,
			"section 1: \"The identifier is later used to check the status of the request\"",
			"keep the identifier and look that export up until it is final, before the same one is asked for again"},
		{LookbackExceeded, Warning,
			"section 1, rule 1: \"data older than the lookback is silently missing from the file, even if from asks for it\"",
			"let from begin within the lookback of the export, and fetch older events while they are there"},
		{PolledTooFast, Warning,
			"advice, no rule: section 1 says that requests \"run asynchronously\", and section 8 \"Other rate limits [...]: not shown\"",
			"wait between lookups, longer each time"},
		{FinalStateNeverRead, Warning,
			"section 3: \"Legacy export request status values: CREATED, PENDING, ERROR, SUCCESS\"; nothing follows the last two",
			"look the export up until its status is " + its.Done + " or " + its.Failed + ", and treat both as the end"},
		{FileNeverDownloaded, Warning,
			"section 1: the service lets a customer \"later obtain a link to the generated file\"",
			"download the file of an export that is " + its.Done},
		{PolledAfterFinal, Warning,
			"advice, no rule: of a request that ended, section 2.3 says only that \"calling the API again yields a new link\"",
			"stop looking an export up once its status is final, unless a new link is needed"},
		{FilePartlyRead, Warning,
			"section 1: a client may \"later obtain a link to the generated file\"; a range of it ends in the middle of a row",
			"fetch the rest of the file, or the whole of it"},
		{NativeNameWithoutDollar, Warning,
			"section 2.5: \"native attribute names prefixed with $ (list below) or custom attribute names without prefix\"",
			"write the name with its $; without it the name is that of a custom attribute"},
		{UndeclaredAttribute, Warning,
			"advice, no rule: section 2.5 takes any name of a custom attribute, so a misspelt one gives null or nothing of use. It " +
				"is judged where " +
				"schemas list custom attributes, or the dataset has some; beside synthetic profiles, only a name much like one of those of the " +
				"dataset counts. Without them every name is one, and none is doubted",
			"compare the name with those of the custom attributes that schemas and dataset have"},
		{WindowWithoutEvents, Warning,
			"section 2.1: from and to are \"the literal now, or a UTC date\"; nothing has happened in a window that is empty or lies ahead",
			"compare from and to with the time in UTC, and let from come before to"},
		{PlaceholderInPath, Warning,
			"section 4: \"other path segments are placeholders\"",
			"put the token of the campaign or the identifier of the group into the path, and look at where the path is built"},
		{NotInRecording, Error,
			"advice, no rule: section 1 says that \"the identifier is later used to check the status of the request\", and an answer of the " +
				"synthetic world beside those of a recording is about another export",
			"compare the request with the exchange of the recording that is named; let --replay-ignore name members that may differ, or " +
				"record again"},
		{RefusalRepeated, Warning,
			"section 7, rule 2: \"A body that does not meet the requirements returns an actionable error message\"",
			"read code and message, and change the request instead of sending it again"},
	}
}

// places are what the schema files of an interface say about a lint, by code: the pointer into the file of the interface, or,
// behind a word, into the output or request schema of the export.
var places = map[string]string{
	DeadLinkUsed: "/x-interface/files", RetryAfterIgnored: "/x-interface/headers", PartSkipped: "/x-interface/files",
	DownloadAbandoned: "/x-interface/files", NoSuchRoute: "/x-interface", CredentialsSentToLink: "/x-interface/headers",
	FilePosted: "/x-interface/files", RateExceeded: "request/x-rate-limit", CreatedAgain: "/x-interface/states",
	LookbackExceeded: "output/x-export/lookback", PolledTooFast: "/x-interface/states", FinalStateNeverRead: "/x-interface/states",
	FileNeverDownloaded: "/x-interface/files", PolledAfterFinal: "/x-interface/states", FilePartlyRead: "/x-interface/files",
	NativeNameWithoutDollar: "output/", UndeclaredAttribute: "output/", WindowWithoutEvents: "request/properties",
	PlaceholderInPath: "output/x-export/path", NotInRecording: "/x-interface", RefusalRepeated: "/x-interface/errors",
}

const noRule = "advice, no rule: "

// Cited is the rule of a lint for an interface that the specification does not have: what an RFC says of it, and the place in
// the schema files, with the title of the interface.
func (d Dialect) Cited(lint Lint) string {
	of, pointer, _ := strings.Cut(places[lint.Code], "/")
	file := cmp.Or(map[string]string{"output": d.Output, "request": d.Request}[of], d.File)
	if pointer = "/" + pointer; of != "" && file == d.File || pointer == "/" {
		pointer = ""
	}
	rule := fmt.Sprintf("%s#%s of %s", file, pointer, d.Title)
	for part := range strings.SplitSeq(lint.Rule, "; ") {
		if strings.HasPrefix(part, "RFC ") {
			rule = part + "; " + rule
		}
	}
	if strings.HasPrefix(lint.Rule, noRule) {
		rule = noRule + rule + " asks for nothing else"
	}
	return rule
}

// Finding is one lint in the behaviour of one client.
type Finding struct {
	Lint
	// Key is the application or project key of the client; empty when no request told.
	Key string `json:"key,omitempty"`
	// Export is the export that it is about, if it is about one.
	Export string `json:"export,omitempty"`
	// Message says what happened.
	Message string `json:"message"`
	// Count is how often it happened; Requests are the sequences of the first requests that show it, at most ten.
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
