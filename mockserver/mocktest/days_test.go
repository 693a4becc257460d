package mocktest_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
)

// TestDays: with Now a test sees the same files on every day; without it the clock is that of the machine.
func TestDays(t *testing.T) {
	var files []string
	for day := range 2 {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Duration(day) * 24 * time.Hour)
			if mock := mocktest.Start(t, mocktest.Options{}); !mock.Clock().Now().Equal(time.Now().UTC()) {
				t.Errorf("it is %v, and the clock shows %v", time.Now(), mock.Clock().Now())
			}
			fixed := mocktest.Start(t, mocktest.Options{Now: noon})
			files = append(files, fmt.Sprint(fixed.Create("userbase", mocktest.ExportOptions{}).Rows()))
		})
	}
	if len(files[0]) < 1000 || files[0] != files[1] {
		t.Errorf("files of %d and %d bytes on two days", len(files[0]), len(files[1]))
	}
}
