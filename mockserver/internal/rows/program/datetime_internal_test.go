package program

import (
	"testing"
	"time"
)

func TestAppendDateTimeEqualsTheStandardLibrary(t *testing.T) {
	for _, start := range []int64{-2_208_988_800, -1, 0, 951_782_399, 951_868_800, 1_709_164_800, 1_732_000_000, 4_107_542_399, 253_402_300_799 - 3_000_000} {
		for step := range int64(400) {
			at := start + step*7_201
			got := string(appendDateTime(nil, at))
			if want := time.Unix(at, 0).UTC().Format("2006-01-02T15:04:05"); got != want {
				t.Fatalf("appendDateTime(%d) = %s, want %s", at, got, want)
			}
		}
	}
}
