// Package compare has the same conversations with two services, and finds by meaning where they differ.
//
// A conversation with a service leaves a [Transcript]: facts about its answers, which show values by their shape and
// nothing that was said. The first service is asked twice: values that it changes itself are noise, and only their shape
// is compared. What is there at all, how it is built and what is answered is compared whatever the noise.
// See docs/how-to/compare-two-services.md
package compare
