package httpd

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// outageSilence is how long a message of an outage is not repeated.
const outageSilence = time.Second

// Outages tells the log of errors that every request meets while something that the server needs is away: each message once a second,
// with how many like it were left out. It is safe for concurrent use.
type Outages struct {
	logger *slog.Logger
	now    func() time.Time

	lock sync.Mutex
	told map[string]*told // by message
}

type told struct {
	last    time.Time
	omitted int
}

// NewOutages tells a log, by the clock of the machine.
func NewOutages(logger *slog.Logger, now func() time.Time) *Outages {
	return &Outages{logger: logger, now: now, told: map[string]*told{}}
}

// Error logs a message, which is one of a few, unless that was done a moment ago.
func (o *Outages) Error(message string, attributes ...any) {
	o.tell(slog.LevelError, message, attributes)
}

// Warn is Error, for what is no error of the server.
func (o *Outages) Warn(message string, attributes ...any) {
	o.tell(slog.LevelWarn, message, attributes)
}

func (o *Outages) tell(level slog.Level, message string, attributes []any) {
	o.lock.Lock()
	defer o.lock.Unlock()
	known, now := o.told[message], o.now()
	if known == nil {
		known = &told{}
		o.told[message] = known
	}
	if silence := now.Sub(known.last); !known.last.IsZero() && silence >= 0 && silence < outageSilence {
		known.omitted++
		return
	}
	if known.omitted > 0 {
		attributes = append(attributes, "omitted", known.omitted)
	}
	*known = told{last: now}
	o.logger.Log(context.Background(), level, message, attributes...)
}
