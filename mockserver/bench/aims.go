package main

import "fmt"

// The budgets that a user feels; docs/explanation/budgets.md#figures says what is known of those that are missed.
const (
	aimPrism, aimWireMock, aimMockoon             = 60, 25, 300 // times the creations per second, memory store
	aimPrismFile, aimWireMockFile, aimMockoonFile = 30, 10, 100 // file store, the default
	aimPeerStart, aimBareStart                    = 20, 12
	aimRest                                       = 24 << 10 // kB
	aimWriting                                    = 100_000  // kB, while 10 GB are written
	aimKind, aimDay, aimSnapshot                  = 0.3, 5, 1.5
	aimEventRow, aimSnapshotRow                   = 3, 2 // us of processor time
	aimDownload                                   = 0.9  // of sendfile
	aimFirstByte                                  = 20   // ms
	aimSuccess                                    = 4e-6 // s per person: 40 s for ten million
	aimLatency                                    = 2
)

// atLeast and atMost print a figure with its aim.
func atLeast(found, aim float64) string { return verdict(found, aim, found >= aim, "at least") }
func atMost(found, aim float64) string  { return verdict(found, aim, found <= aim, "at most") }

func verdict(found, aim float64, met bool, which string) string {
	if met {
		return fmt.Sprintf("%s, %s %s: met", figure(found), which, figure(aim))
	}
	return fmt.Sprintf("%s, %s %s: missed", figure(found), which, figure(aim))
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
