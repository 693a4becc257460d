package check

import (
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/instant"
)

// moment is an instant in microseconds since 1970, UTC: files of an export hold no finer dates.
type moment int64

const (
	second = moment(1_000_000)
	day    = 86_400 * second
)

func momentOf(t time.Time) moment { return moment(t.UnixMicro()) }

func (m moment) String() string {
	return time.UnixMicro(int64(m)).UTC().Format("2006-01-02T15:04:05.999999Z")
}

func parseMoment(text string) (moment, bool) {
	at, ok := instant.Parse(text)
	return momentOf(at), ok
}
