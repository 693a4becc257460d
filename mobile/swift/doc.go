// Package swift has a façade over the bindings in Swift, and the tests that compile and run it.
package swift
