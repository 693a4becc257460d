// Package metrics counts what the server does, and writes the counts in the text format of Prometheus (version 0.0.4).
//
// Counting is cheap enough for every request: an atomic addition or two, and no allocation once a label was seen.
package metrics
