// Package budget holds what the server may use at most, each with a name and a default: memory, processors, disk, connections. Code that
// is about to use something asks here first, and is refused by name and number before the work. See
// docs/explanation/budgets.md#how-long-may-the-work-of-one-request-take
package budget

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// Budget is one of them, and what is used of it. It is safe for concurrent use.
type Budget struct {
	Definition
	limit   int64
	used    atomic.Int64
	refused atomic.Int64
	shares  *semaphore.Weighted
	times   *Times
	others  others
}

// others are who takes part in a budget, besides Take and Give.
type others struct {
	measure atomic.Pointer[func() int64]            // what is used, where somebody else counts it
	reclaim atomic.Pointer[func(amount int64) bool] // gives back what can be done without
}

// Limit is what may be used.
func (b *Budget) Limit() int64 { return b.limit }

// Refused counts what was refused.
func (b *Budget) Refused() int64 { return b.refused.Load() }

// Used is what is used now.
func (b *Budget) Used() int64 {
	if measure := b.others.measure.Load(); measure != nil {
		return (*measure)()
	}
	return b.used.Load()
}

// Measure sets who counts what is used, in the place of Take and Give.
func (b *Budget) Measure(used func() int64) { b.others.measure.Store(&used) }

// Reclaim sets who gives back about an amount of what can be done without, before Take refuses something, and reports whether any was.
func (b *Budget) Reclaim(give func(amount int64) bool) { b.others.reclaim.Store(&give) }

// Relieve lets go of about an amount of what can be done without, and reports whether there was any.
func (b *Budget) Relieve(amount int64) bool {
	reclaim := b.others.reclaim.Load()
	return reclaim != nil && (*reclaim)(amount)
}

// Fits refuses what is larger than the whole budget, no matter who uses it.
func (b *Budget) Fits(amount int64) error {
	if amount > b.limit {
		return b.exceeded(amount, false)
	}
	return nil
}

// Admit refuses what does not fit beside what is used already, where somebody else counts it.
func (b *Budget) Admit(amount int64) error {
	if err := b.Fits(amount); err != nil {
		return err
	}
	if b.Used() > b.limit-amount {
		return b.exceeded(amount, true)
	}
	return nil
}

// Take uses an amount, or refuses it at once. Who took it gives it back.
func (b *Budget) Take(amount int64) error {
	if err := b.Fits(amount); err != nil {
		return err
	}
	for !b.shares.TryAcquire(amount) {
		if !b.Relieve(amount) {
			return b.exceeded(amount, true)
		}
	}
	b.used.Add(amount)
	return nil
}

// Wait uses an amount as soon as others have given enough of it back; it refuses it when that takes long, and at once what never fits.
// Who took it gives it back. The first to come is the first to go on.
func (b *Budget) Wait(ctx context.Context, amount int64) error {
	if err := b.Fits(amount); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, b.times.Wait)
	defer cancel()
	if b.shares.Acquire(limited, amount) != nil {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		return b.exceeded(amount, true)
	}
	b.used.Add(amount)
	return nil
}

// Give gives back what was taken.
func (b *Budget) Give(amount int64) {
	b.used.Add(-amount)
	b.shares.Release(amount)
}

func (b *Budget) exceeded(amount int64, busy bool) error {
	b.refused.Add(1)
	return &ExceededError{Budget: b, Asked: amount, Used: b.Used(), Busy: busy}
}

// ExceededError says which budget is exceeded.
type ExceededError struct {
	Budget *Budget
	// Asked is what was wanted, Used what was used at that moment.
	Asked, Used int64
	// Busy tells that it would fit if others used less: it is worth another try.
	Busy bool
}

func (e *ExceededError) Error() string {
	b := e.Budget
	if e.Busy {
		limit := b.Text(b.limit)
		if b.Unit == Count {
			limit = b.Amount(b.limit)
		}
		return fmt.Sprintf("the budget %s is used up: %s of %s are in use, and this needs %s more%s", b.Name,
			b.Text(e.Used), limit, b.Amount(e.Asked), b.setBy())
	}
	return fmt.Sprintf("this needs %s, and the budget %s has %s in all%s", b.Amount(e.Asked), b.Name, b.Text(b.limit), b.setBy())
}

// setBy says what sets the limit, ready to be appended.
func (d Definition) setBy() string {
	if d.Key == "" {
		return ""
	}
	return fmt.Sprintf(" (--limit %s=... sets it)", d.Key)
}

// ErrDeadline ends work that takes longer than a request may take.
var ErrDeadline = errors.New("the work took longer than is allowed")

// Work is how long the work of a request may take.
func (s *Set) Work() time.Duration { return s.times.Work }

// Patience is how long work waits for what other work uses.
func (s *Set) Patience() time.Duration { return s.times.Wait }

// Deadline is a context in which the work of a request ends in time, with the cause ErrDeadline.
func (s *Set) Deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, s.times.Work, fmt.Errorf("%w: %s", ErrDeadline, s.times.Work))
}
