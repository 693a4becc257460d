package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that the first signal to end cancels. The second
// one ends the program at once, with the exit code that shells give to it.
// [signal.NotifyContext] does not do: a second signal that comes right after the
// first would be lost.
func untilSignal() context.Context {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup lets a program outlive its terminal
		signal.Notify(signals, syscall.SIGHUP)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		cancel(signalError{<-signals})
		for second := range signals {
			// A terminal that is closed may send it twice, and nobody is impatient.
			if number, is := second.(syscall.Signal); is && number != syscall.SIGHUP {
				os.Exit(128 + int(number))
			}
		}
	}()
	return ctx
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
