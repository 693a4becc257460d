// Package check verifies from export files alone that they agree with each other and with themselves: any mix of the kinds of the export
// API, any number of files, of this server or of the real service.
//
// Three ideas carry it:
//
//   - Columns are found by what they mean (the schema keyword x-source), never
//     by name, and the life of a message is read from x-journey. So schemas of
//     an overlay are checked like the built-in ones.
//   - Every file is read once, as a stream. Rules about single rows are checked
//     on the way. What rules about several rows need is sorted by installation
//     and by profile, on disk beyond a limit, and looked at one thing after
//     another, in order of time. Memory depends neither on the number of rows
//     nor on the number of files.
//   - A rule is broken only when the files prove it. Files say little of what
//     was asked for: a type of event that a file never shows may not have been
//     asked for, and without [Input].From and To a window is known only from the
//     rows in it. What cannot be proven is no violation, and a rule that nothing
//     could be checked for is reported as not checkable, with the reason.
//
// The rules, by the names that findings have ([Rules] explains each, and says when an innocent file may break it):
//
//	schema                    every row conforms to its schema
//	time-order                rows are in order of time
//	not-before                no event before the first that there can be
//	lookback                  a file spans no more than the lookback
//	future                    no date after the present
//	window                    rows lie in the window that was asked for
//	creation                  nothing before creation or installation
//	duplicates                nothing twice in a file
//	tiling                    files of one export agree where windows overlap or touch
//	profile-identifiers       one custom identifier per profile, and the reverse
//	installation-identifiers  an installation keeps its identifiers
//	link                      custom_id is present if and only if has_custom_id is true
//	contact                   addresses change only when a reachability event says so
//	journey                   sent before delivered before open before click
//	exclusion                 bounced excludes delivered
//	unsubscribed              nothing after a withdrawal of consent
//	latest                    $last_* dates are those of the latest events
//	consent                   consents and opt-ins are those of the latest change
//	change                    a reachability row means that a flag changed
//	projection                an ids file lists what the events file tells
//	places                    region, language, time zone and telephone agree
//	starts                    nothing in the app after its last start
//	ended                     no message to an address that bounced for good
//	sendings                  a push message is the same in both interfaces
package check
