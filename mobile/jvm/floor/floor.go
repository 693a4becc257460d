// Package floor is as little as can be bound: what its library weighs is what gobind and Go's runtime weigh.
package floor

// Nothing does nothing.
func Nothing() {}
