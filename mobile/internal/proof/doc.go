// Package proof helps the tests of this folder to run the bindings where there is no phone: it looks for tools, runs them, and
// builds the bridge between Java and Go for this machine.
package proof
