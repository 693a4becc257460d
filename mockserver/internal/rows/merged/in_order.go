package merged

import "slices"

// InOrder puts the names of an order first and keeps the others behind them.
func InOrder(order, names []string) []string {
	var sorted []string
	for _, name := range order {
		if slices.Contains(names, name) {
			sorted = append(sorted, name)
		}
	}
	for _, name := range names {
		if !slices.Contains(order, name) {
			sorted = append(sorted, name)
		}
	}
	return sorted
}
