package main

import "fmt"

// The aims of the design, as ratios within one run; docs/explanation/performance.md says what is known of those that are missed.
const (
	aimCreate, aimStatus              = 0.65, 0.65 // of a handler that sends the same bytes
	aimCreateFile, aimStatusFile      = 0.40, 0.50
	aimPrism, aimWireMock, aimMockoon = 12, 25, 150
	aimAcceptor, aimStart             = 30, 40
	aimBare                           = 12
	aimHand                           = 0.90
	aimGofakeitCSV, aimGofakeitJSON   = 10, 15
	aimFaker                          = 1000
	aimCoherent                       = 1.5
	aimDownload                       = 0.90
	aimProcessors, aimFirstByte       = 1.7, 20  // ms
	aimMemory                         = 24 << 10 // kB, as the kernel counts them
	aimRest                           = 24 << 10 // kB, at rest
	aimSlowDownload                   = 60       // kB
	aimLatency                        = 2
	aimDataset                        = 0.5
	aimProxy, aimAdded, aimRecorded   = 0.8, 1, 1 // aimAdded in ms
)

// atLeast and atMost print a ratio with its aim.
func atLeast(ratio, aim float64) string { return verdict(ratio, aim, ratio >= aim, "at least") }
func atMost(ratio, aim float64) string  { return verdict(ratio, aim, ratio <= aim, "at most") }

func verdict(ratio, aim float64, met bool, which string) string {
	if met {
		return fmt.Sprintf("%s, %s %s: met", figure(ratio), which, figure(aim))
	}
	return fmt.Sprintf("%s, %s %s: missed", figure(ratio), which, figure(aim))
}

// figure is a number with about three digits.
func figure(n float64) string {
	switch {
	case n >= 100:
		return fmt.Sprintf("%.0f", n)
	case n >= 10:
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.2f", n)
}
