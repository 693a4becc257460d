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

func TestDatesByTheMinuteAreThoseOfEach(t *testing.T) {
	var m minute
	for _, start := range []int64{-130, 0, 1_709_164_790, 1_735_689_590} {
		for _, step := range []int64{0, 1, 7, 59, -3, 60, 61, -59, 3, 0, 4_000, -4_003, 2} {
			start += step
			for _, room := range []int{0, padding - 1, padding, 100} {
				got, want := string(m.appendTo(make([]byte, 0, room), start)), string(appendDateTime(nil, start))
				if got != want {
					t.Fatalf("the date of %d with room for %d bytes is %q, want %q", start, room, got, want)
				}
			}
		}
	}
}
