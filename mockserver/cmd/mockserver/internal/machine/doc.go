// Package machine lets the program use the machine well, as far as the environment does not say how.
package machine

// Environment is the value of an environment variable; empty for none.
type Environment func(name string) string
