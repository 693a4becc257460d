package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// untilSignal returns a context that the first signal to end cancels. The second one ends the program at once, with the exit code that
// shells give to it, unless a command awaits it by untilNext; then the third one does. [signal.NotifyContext] does not do: a second
// signal that comes right after the first would be lost.
func untilSignal() context.Context {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup lets a program outlive its terminal
		signal.Notify(signals, syscall.SIGHUP)
	}
	following, cancelNext := context.WithCancelCause(context.Background())
	next := &nextSignal{Context: following}
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), nextKey{}, next))
	go func() {
		cancel(signalError{<-signals})
		for second := range signals {
			if next.awaited.CompareAndSwap(true, false) {
				cancelNext(signalError{second})
				continue
			}
			// A terminal that is closed may send it twice, and nobody is impatient.
			if number, is := second.(syscall.Signal); is && number != syscall.SIGHUP {
				os.Exit(128 + int(number))
			}
		}
	}()
	return ctx
}

type nextKey struct{}

// nextSignal is cancelled by the second signal, if a command awaits it.
type nextSignal struct {
	context.Context
	awaited atomic.Bool
}

// untilNext returns a context for the work after the end of another: the next signal cancels it.
func untilNext(ctx context.Context) context.Context {
	if ctx.Err() == nil {
		return ctx
	}
	next, is := ctx.Value(nextKey{}).(*nextSignal)
	if !is {
		return context.WithoutCancel(ctx)
	}
	next.awaited.Store(true)
	return next
}

// signalError is why a context was cancelled.
type signalError struct{ signal os.Signal }

func (e signalError) Error() string {
	switch e.signal {
	case os.Interrupt:
		return "interrupted (SIGINT)"
	case syscall.SIGTERM:
		return "terminated (SIGTERM)"
	case syscall.SIGHUP:
		return "the terminal was closed (SIGHUP)"
	}
	return "ended by a signal: " + e.signal.String()
}

// interrupted lets the error of a command that was ended by a signal say which
// one it was and what the command has left. Any other error stays as it is.
func interrupted(ctx context.Context, err error, left string) error {
	cause := context.Cause(ctx)
	if err == nil || !errors.Is(err, context.Canceled) && !errors.Is(err, cause) {
		return err
	}
	text := "interrupted"
	if cause != nil && !errors.Is(cause, context.Canceled) {
		text = cause.Error()
	}
	return errors.New(text + ": " + left)
}
