package dataset

import (
	"context"
	"fmt"
	"runtime/debug"

	"golang.org/x/sync/singleflight"
)

// turn is a lock for which one can wait as long as a context allows.
type turn chan struct{}

// take takes it, and says why not.
func (t turn) take(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t turn) give() { <-t }

// follower applies what other processes have added, once for all who wait for it. Their end is not its end: a client that leaves would
// undo what has been done for all, and clients that are less patient than a batch is long would do so for ever.
type follower struct {
	under   singleflight.Group
	context context.Context // ends when the log is closed
	stop    context.CancelFunc
}

func newFollower() *follower {
	f := &follower{}
	f.context, f.stop = context.WithCancel(context.Background())
	return f
}

// follow returns once all is applied that the store has now.
func (l *Log) follow(ctx context.Context) error {
	for {
		texts, err := l.store.DataAfter(ctx, l.published.Load().generation)
		if err != nil || len(texts) == 0 {
			return err
		}
		select {
		case ended := <-l.catchingUp():
			// It may have begun before something was added that is to be seen here.
			if ended.Err != nil {
				return ended.Err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// catchingUp begins to apply what the store has, unless that is under way, and tells of its end.
func (l *Log) catchingUp() <-chan singleflight.Result {
	f := l.follower
	return f.under.DoChan("", func() (_ any, err error) {
		defer func() { // no handler stands above this goroutine
			if cause := recover(); cause != nil {
				err = fmt.Errorf("reading the dataset panicked: %v\n%s", cause, debug.Stack())
			}
		}()
		if err := l.turn.take(f.context); err != nil {
			return nil, err
		}
		defer l.turn.give()
		return nil, l.catchUp(f.context)
	})
}

// Stop ends what the log does for nobody in particular, and returns when it has ended.
func (l *Log) Stop() {
	l.follower.stop()
	<-l.catchingUp()
}
