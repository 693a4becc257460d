// Package actions lets an application register named actions, and an SDK run them: by remote configuration, from a push message,
// or from application code.
//
// An action is an identifier and a [Handler]:
//
//	registry := actions.New(actions.Options{Host: host})
//	_, err := registry.Register("say-hello", func(invocation actions.Invocation) (any, error) {
//		name, err := invocation.Arguments().Text("name")
//		if err != nil {
//			return nil, err
//		}
//		return "hello, " + name, nil
//	})
//	registry.Start()
//	result := registry.Perform("Say-Hello", actions.Arguments{"name": "world"})
//
// Register each time the application starts, before Start: what the SDK triggers earlier is held (100 triggers at most, in
// order) and delivered once at the start. What application code performs is never held.
//
// Identifiers compare case-insensitively, by Go's lower-casing and without a locale. They are not trimmed, and they must not be
// blank or begin with "service.", which is reserved for the built-in actions.
//
// # Hosts
//
// The built-in actions, which are listed below and by [Builtins], act on a [Host], a set of small capabilities of which any may be
// missing. Package actionstest has one that records.
//
// # Results
//
// Every perform yields a [Result] and never panics: a status, a message for people, and what the handler returned. An unknown
// identifier is [StatusNotFound]. Whatever a handler returns as an error or panics with is [StatusFailed]. [Result.Err] makes an
// error of a result; its code is the status, and the handler's own error is its cause. [Registry.Register] and
// [Registry.Unregister] return errors of type [Error]. Codes and statuses are stable, messages are not.
//
// # Concurrency
//
// All functions may be called from any goroutine, also from inside handlers. Locks protect the tables only: handlers and hosts
// are called outside of them, in the goroutine that performs. There are no goroutines in this package and no time limits:
// what waits for a user may wait for ever, and a caller who does not want to cancels the [Task].
//
// A handler that finishes later returns a [Completion]; a host calls the function that it was given. Whoever does so carries on
// with what comes next, such as the next item of a group. So nothing ever blocks, except where a caller asks for it:
// [Registry.Perform] and [Task.Wait] block until there is a result. On a page or a main thread that must not block use
// [Registry.PerformAsync] and [Task.Then].
//
// # Surfaces
//
// Whoever binds this package to another language finds the rules here and converts only. [Registry.Begin] runs a [Call] without
// ever blocking, and [Registration.Begin] does so for an identifier that was looked up before, without allocating. A surface that
// keeps handlers and arguments on its own side registers handlers that call over, finds an item's arguments by [Invocation.Item],
// and hands [Invocation.Depth] on to the performs that a handler asks for. [Canonical] makes values fit to cross, and package
// actionsjson writes them as text.
//
// # Bounds
//
// Performs are nested at most 16 deep (the items of a group are inside of it), arguments at most 128 levels. Both end in an
// ordinary result.
package actions
