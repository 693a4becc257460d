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
// # Built-in actions
//
// These are always there, and [Builtins] lists them. Arguments must be exactly what is said here: nothing is converted, null counts
// as absent where an argument is optional, extra arguments are ignored. The identifiers in parentheses do the same.
//
// The list is generated from builtin.go and schemas/actions.
//
//	service.dismiss
//	    Dismisses the notification or message that the action came from, and exits.
//
//	service.deeplink
//	    Opens a link. The deeplink interceptor, if one is set, is asked first.
//	        l: string, not empty: the link to open
//	        li: boolean, optional: whether to try to open the link inside the application; null is the same as false
//
//	service.ios_request_notifications (service.request_notifications)
//	    Shows the pop-up that asks for the notification permission.
//
//	service.ios_redirect_settings (service.redirect_settings)
//	    Opens the application's notification settings.
//
//	service.ios_smart_reoptin (service.smart_reoptin)
//	    Shows the notification pop-up to users who were not asked yet, and opens the notification settings for everybody
//	    else.
//
//	service.user.tag
//	    Adds a tag to a collection of the current user, or removes it.
//	        a: "add" or "remove": what to do with the tag
//	        c: string, not empty: the collection of the tag
//	        t: string, not empty: the tag
//
//	service.user.event
//	    Sends an event of the current user, with tags and data.
//	        e: string, not empty: the name of the event
//	        l: string, optional: the label of the event; null is no label
//	        t: array, optional: the tags of the event; null is the same as none
//	        a: object, optional: the data of the event; null is the same as none
//
//	service.group
//	    Runs up to ten actions one after the other, each when the one before it has ended. One that fails does not stop
//	    the next.
//	        actions: array: at most ten pairs of an identifier and arguments, in the order in which they run; none may be
//	        a group. Anything else refuses the whole group; invalid arguments of one action refuse that action only
//
//	service.ios_tracking_consent (service.tracking_consent)
//	    From iOS 14 on, asks for consent to tracking; opens the application's settings when it was refused before. Does
//	    nothing on iOS 13 and earlier, nor where a device manager decides.
//
//	service.clipboard
//	    Copies a text to the clipboard of the device.
//	        t: string: the text to copy; the empty text clears the clipboard
//
//	service.rating
//	    From iOS 10.3 on, asks the user to rate the application. The system decides whether anything is shown, and tells
//	    nobody.
//
// They act on a [Host], a set of small capabilities of which any may be missing. Package actionstest has one that records.
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
// A handler that finishes later returns a [Completion]; a host calls the function that it was given. The goroutine that does so carries on
// with what comes next, such as the next item of a group. So nothing ever blocks, except where a caller asks for it:
// [Registry.Perform] and [Task.Wait] block until there is a result. On a page or a main thread that must not block use
// [Registry.PerformAsync] and [Task.Then].
//
// # Surfaces
//
// Those who bind this package to another language finds the rules here and converts only. [Registry.Begin] runs a [Call] without
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
