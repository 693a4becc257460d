// Package proof helps the tests of this folder to run the bindings where there is no phone: it looks for tools, runs them, builds
// the bridge between Java and Go for this machine, and says how much to try.
package proof
