// Package actions lets an app register named actions and lets an SDK run them: by remote configuration, from a push message,
// or from the app's own code. It is the surface for Kotlin, Java, Swift and Objective-C, made by gobind; every rule about
// actions is in the core, which is the same on the web.
//
// # Names
//
// Java and Kotlin see io.github.rehearsalsdk.actions.Registry and so on, Swift and Objective-C see RHActionsRegistry; functions and
// constants of this package are static members of the Java class Actions, and C functions and constants with the prefix
// RHActions. Method names begin with a lower-case letter there. What implements an interface of this package (an [Action], a
// host, a listener) is a class of yours; in Swift its protocol is called RHActionsActionProtocol.
//
// # Use
//
//	options := NewOptions()
//	options.SetPlatform(PlatformAndroid, "14")
//	registry := NewRegistry(options)
//	registry.SetClipboard(host)                            // and the other capabilities, one by one
//	registration, err := registry.Register("say-hello", action)
//	registry.Start()                                       // triggers that came earlier are delivered now
//	task := registry.Perform("say-hello", arguments)
//
// # Threads
//
// Everything here may be called from any thread, the main thread included, and from inside actions, hosts and listeners. Nothing
// blocks but [Task.Await] and [PlaygroundLink.Next], which have a limit and must not be called on the main thread.
//
//   - [Registry.Perform], [Registration.Perform], [Invocation.Perform], [Registry.Trigger] and [Registry.Start] call your actions
//     and hosts on the thread that you call them on. What finishes at once has finished when they return.
//   - [Registry.PerformAsync] calls them on the registry's worker: a thread in the background that does one thing at a time, in
//     order. It is not always the same thread, and never the main thread.
//   - What goes on after somebody has waited (the next item of a group, a [Listener], a [CancelListener]) is called on that worker
//     too, never on the thread that ends a [Completion]. So ending one runs no other code of yours on your thread, but what is
//     called on the worker must not block it: what goes on is behind it.
//   - A host that needs the main thread goes there by itself, and answers through the completion that it was given. It must not
//     wait for the main thread: perform may have been called there.
//
// # Lifetimes
//
// Objects of yours that you hand over are kept until they are not needed any more: an action until it is unregistered or
// replaced, a host until another one is set, a listener until it was told. An action or a host that holds the registry (or an
// activity or view controller that does) keeps itself alive that way, so hold screens weakly. Objects that you are given (an
// [Invocation], a [Result]) may be kept as long as you like; a completion that is never ended ends at the time limit of [Options].
//
// In Java, what is made for a perform can be closed: its memory is then given back at once, and not when the JVM collects. Elsewhere an
// object that nobody holds gives it back by itself.
//
// What is performed very often goes by texts, so that no objects are made: a [Caller], and [Registry.RegisterJSON].
//
// # Errors
//
// A perform never throws: its [Result] has a status, and a message for people. Functions that return an error throw in Java and
// Kotlin, and give an NSError in Objective-C and Swift, whose text is "code: message"; [ErrorCode] reads the code, which is
// stable. An action that throws is failed; [Result.Check] throws the very same exception again. A host that throws without having
// answered is failed as well. Nothing that happens in here ends the app.
//
// # Values
//
// Arguments are text keys and values: null, booleans, whole numbers (exact to 64 bits), other numbers, strings, lists, and nested
// arguments. [Arguments] may be used from several threads; a perform sees what they are when it is asked for. Text is Unicode; in
// Java and Kotlin a lone surrogate becomes U+FFFD, in Objective-C and Swift a text with one arrives empty. Where a type is another
// one than asked for nothing is converted: the string "5" is no number.
//
// References to sections are to the specification of the actions module.
package actions
