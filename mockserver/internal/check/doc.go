// Package check verifies that export files agree with each other and with themselves.
package check
