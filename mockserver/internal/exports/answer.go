package exports

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Answer is what happens to the answer of a request. The zero value is nothing unusual.
type Answer struct {
	// Error is the name of the error that answers the request, for example MAINTENANCE_ERROR; then nothing else is done.
	Error string
	// RetryAfter is the header Retry-After of a forced error. The zero value is usual for the error.
	RetryAfter RetryAfter
	// Latency passes before the request is worked on, in real time.
	Latency Latency
	// Reset ends the connection with a reset instead of an answer.
	Reset Reset
	// Cut, unless it is NoCut, closes the connection before the end of the body.
	Cut Cut
	// Slow is how many bytes of the body are sent in a second; 0 means as many as possible.
	Slow int64
	// Length is what the header Content-Length of an answer with a body says too much, or, below zero, too little.
	Length int64
}

// RetryAfter is the header Retry-After (RFC 9110, section 10.2.3) of a forced error.
type RetryAfter struct {
	// Wait is the time until the next try.
	Wait time.Duration
	// Form is the notation of the header.
	Form RetryForm
}

// RetryForm is a notation of the header Retry-After.
type RetryForm string

// The notations.
const (
	// RetrySeconds is a number of seconds, the usual one. A fraction, which the
	// RFC does not allow and some services send, is sent as it is.
	RetrySeconds RetryForm = ""
	// RetryDate is the date of the next try.
	RetryDate RetryForm = "date"
	// RetryNone sends no header.
	RetryNone RetryForm = "none"
)

// Header returns the value of the header at an instant; empty for no header.
func (r RetryAfter) Header(now time.Time) string {
	switch r.Form {
	case RetryNone:
		return ""
	case RetryDate:
		return now.Add(r.Wait).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
	}
	return strconv.FormatFloat(r.Wait.Seconds(), 'f', -1, 64)
}

// String returns the form that a scenario reads; empty for the zero value.
func (r RetryAfter) String() string {
	switch {
	case r.Form == RetryDate:
		return "date:" + r.Wait.String()
	case r.Form == RetryNone:
		return "none"
	case r.Wait == 0:
		return ""
	}
	return r.Wait.String()
}

// parseRetryAfter reads the form that String writes.
func parseRetryAfter(text string) (RetryAfter, error) {
	if text == string(RetryNone) {
		return RetryAfter{Form: RetryNone}, nil
	}
	duration, dated := strings.CutPrefix(text, "date:")
	wait, err := time.ParseDuration(duration)
	if err != nil || wait < time.Millisecond || wait > 24*time.Hour {
		return RetryAfter{}, errorf(InvalidScenario,
			"retry-after %s is not known: use a duration from 1ms to 24h such as 30s or 0.5s, date:30s for a date, or none for no header",
			quote(text))
	}
	if dated {
		return RetryAfter{Wait: wait, Form: RetryDate}, nil
	}
	return RetryAfter{Wait: wait}, nil
}

// Cut is a number of bytes after which a body ends early, counted from 1 so that its zero value is none: [NoCut].
type Cut int64

// NoCut lets a body come to its end.
const NoCut Cut = 0

// CutInCell ends a body inside a quoted cell or a text of JSON; without one, inside a cell.
const CutInCell Cut = -1

// CutAfter ends a body after a number of bytes, which may be 0.
func CutAfter(bytes int64) Cut { return Cut(bytes + 1) }

// Bytes is the number of bytes before the cut. It means nothing for NoCut.
func (c Cut) Bytes() int64 { return int64(c) - 1 }

// Reset is when a connection is reset. The zero value never does it. See docs/how-to/force-errors.md#what-does-a-reset-look-like
type Reset string

// The moments of a reset.
const (
	// ResetBefore: before the request is worked on. Nothing is created.
	ResetBefore Reset = "before"
	// ResetAfter: when the request was worked on, and before the first byte of
	// the answer: what it creates is there, and the client does not know.
	ResetAfter Reset = "after"
	// ResetMiddle: after half of the body, or after as many bytes as Cut says.
	ResetMiddle Reset = "middle"
)

// Link is what becomes of the link of an export that is SUCCESS. The zero value is a link that works.
type Link string

// The faults of a link.
const (
	// LinkNone: the record has no link, though it is SUCCESS.
	LinkNone Link = "none"
	// LinkMissing: the link answers 404.
	LinkMissing Link = "404"
	// LinkGone: the link answers 410.
	LinkGone Link = "410"
)

// Faults are faults in the bytes of a file. The zero value has none.
// See docs/how-to/force-errors.md#which-faults-belong-to-an-answer-and-which-to-a-file
type Faults struct {
	// Truncated ends the file in the middle of its last row.
	Truncated bool `json:"truncated"`
	// ByteOrderMark begins every part with U+FEFF.
	ByteOrderMark bool `json:"byte_order_mark"`
	// CRLF ends the lines of a CSV file with carriage return and line feed.
	CRLF bool `json:"crlf"`
	// ExtraDate repeats the last date of every row of a CSV file: the row has
	// one date more than the header (export API section 2.4, userbase).
	ExtraDate bool `json:"extra_date"`
	// Surprises are additions that no schema announces.
	Surprises Surprises `json:"surprises,omitempty"`
}

// Surprises are kinds of additions, separated by commas in the order of [EverySurprise].
type Surprises string

// The kinds of surprises.
const (
	SurpriseStatus    = "status"    // records before their end have another status
	SurpriseMember    = "member"    // records, creations and objects of files have a member more
	SurpriseColumn    = "column"    // CSV has a column more
	SurpriseEvent     = "event"     // one type of events has another name
	SurpriseAttribute = "attribute" // profiles have a custom attribute more
	SurpriseNull      = "null"      // the first value of a row is null, or an empty cell
)

// EverySurprise lists the kinds.
func EverySurprise() []string {
	return []string{SurpriseStatus, SurpriseMember, SurpriseColumn, SurpriseEvent, SurpriseAttribute, SurpriseNull}
}

// Has reports whether a kind is among them.
func (s Surprises) Has(kind string) bool { return slices.Contains(strings.Split(string(s), ","), kind) }

// parseSurprises reads kinds, separated by commas.
func parseSurprises(text string) (Surprises, error) {
	var found []string
	asked := strings.Split(text, ",")
	for i := range asked {
		if asked[i] = strings.TrimSpace(asked[i]); !slices.Contains(EverySurprise(), asked[i]) {
			return "", errorf(InvalidScenario, "surprise %s is not known: use some of %s, separated by commas%s", quote(asked[i]),
				strings.Join(EverySurprise(), ", "), schemas.DidYouMean(asked[i], EverySurprise()))
		}
	}
	for _, kind := range EverySurprise() {
		if slices.Contains(asked, kind) {
			found = append(found, kind)
		}
	}
	return Surprises(strings.Join(found, ",")), nil
}

// SurpriseName is the name, and SurpriseStatusName the status, that no schema announces.
const (
	SurpriseName       = "surprise"
	SurpriseStatusName = "SURPRISE"
)

// MaxLatency is the longest latency, drawn ones included.
const MaxLatency = 10 * time.Minute

// Latency is a distribution of durations. The zero value is none.
// See docs/how-to/force-errors.md#when-is-latency-injected-and-by-which-clock
type Latency struct {
	// Low and High bound a uniform distribution; the same one twice is fixed.
	Low, High time.Duration
	// Median and Sigma are those of a log-normal distribution: half of the durations are below the median, and two thirds between the
	// median divided and multiplied by e to the power of sigma.
	Median time.Duration
	Sigma  float64
}

// Draw draws a duration from 0 to [MaxLatency].
func (l Latency) Draw(random *rand.Rand) time.Duration {
	if l.Median > 0 {
		drawn := float64(l.Median) * math.Exp(l.Sigma*random.NormFloat64())
		return time.Duration(min(drawn, float64(MaxLatency)))
	}
	if l.High > l.Low {
		return l.Low + time.Duration(random.Int64N(int64(l.High-l.Low)+1))
	}
	return l.Low
}

// parseLatency reads the form that String writes.
func parseLatency(text string) (Latency, error) {
	fault := errorf(InvalidScenario,
		"latency %s is not known: use 200ms, uniform:50ms-500ms or lognormal:200ms,0.5 (median and sigma), with durations from 0s to 10m and "+
			"sigma from 0 to 5", quote(text))
	kind, value, has := strings.Cut(text, ":")
	if !has {
		fixed, ok := latencyDuration(text)
		if !ok {
			return Latency{}, fault
		}
		return Latency{Low: fixed, High: fixed}, nil
	}
	switch kind {
	case "uniform":
		from, to, _ := strings.Cut(value, "-")
		low, ok1 := latencyDuration(from)
		high, ok2 := latencyDuration(to)
		if !ok1 || !ok2 || low > high {
			return Latency{}, fault
		}
		return Latency{Low: low, High: high}, nil
	case "lognormal":
		text, number, _ := strings.Cut(value, ",")
		median, ok := latencyDuration(text)
		sigma, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if !ok || median == 0 || err != nil || !(sigma >= 0 && sigma <= 5) {
			return Latency{}, fault
		}
		return Latency{Median: median, Sigma: math.Abs(sigma)}, nil
	}
	return Latency{}, fault
}

func latencyDuration(text string) (time.Duration, bool) {
	duration, err := time.ParseDuration(strings.TrimSpace(text))
	return duration, err == nil && duration >= 0 && duration <= MaxLatency
}

// String returns the form that a scenario reads; "0s" for the zero value.
func (l Latency) String() string {
	switch {
	case l.Median > 0:
		return "lognormal:" + l.Median.String() + "," + strconv.FormatFloat(l.Sigma, 'g', -1, 64)
	case l.High > l.Low:
		return "uniform:" + l.Low.String() + "-" + l.High.String()
	}
	return l.Low.String()
}
