// Package recording keeps conversations with a service as plain files, and answers requests as they were answered then.
//
// A recording is a directory. recording.json says when it began. Each exchange has a number, and a file NUMBER.json with the heads of
// request and answer, the bodies stand beside it, and files that were downloaded are in files/, each once, named by its content. All of
// them may be edited. There are no credentials in it: where the key of the client was, it says {{key}}, and links lead to
// http://recording.invalid. See docs/how-to/record-and-replay.md
package recording
