package importer_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// hourly are rows of in-app messages: some an hour, each of another person, from one half hour since the beginning up to another.
func hourly(event string, from, to int) (rows []string) {
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for at := from; at < to; at++ {
		for i := range 5 {
			rest := ";;"
			if event == "inapp_clicked" {
				rest = ";service.deeplink;0"
			}
			rows = append(rows, fmt.Sprintf("00000000-0000-4000-8000-%012d;;;%s;%s%s", 10*at+i,
				begin.Add(time.Duration(at)*30*time.Minute+time.Duration(i)*time.Minute).Format("2006-01-02T15:04:05"), event, rest))
		}
	}
	return rows
}

// TestAgainOrInBoth: an event that two windows have in common is one, and one that comes again in a window to which it does not belong is
// another.
func TestAgainOrInBoth(t *testing.T) {
	library := own(t)
	const day = 48 // half hours
	first, second := hourly("inapp_shown", 0, day), hourly("inapp_shown", day, 2*day)
	again := []string{first[50], first[120], first[200]}
	clicked := hourly("inapp_clicked", 0, day)
	onTime := slices.Clone(first[:180])
	for i, row := range first[180:] {
		if i%3 > 0 {
			onTime = append(onTime, row)
		}
	}
	for name, c := range map[string]struct {
		files [][]string
		want  int
	}{
		"two days":                       {[][]string{first, second}, len(first) + len(second)},
		"one twice in a day":             {[][]string{slices.Concat(first, first[9:10]), second}, len(first) + len(second) + 1},
		"some again on the next day":     {[][]string{first, slices.Concat(again, second)}, len(first) + len(second) + len(again)},
		"the next day first":             {[][]string{slices.Concat(again, second), first}, len(first) + len(second) + len(again)},
		"two days, and the second again": {[][]string{slices.Concat(first, second), second}, len(first) + len(second)},
		"days that overlap, with again": {[][]string{first, slices.Concat(first, second), slices.Concat(again, second)},
			len(first) + len(second) + len(again)},
		"windows of half hours": {[][]string{hourly("inapp_shown", 0, 31), hourly("inapp_shown", 25, day)}, len(first)},
		"parts":                 {[][]string{first[:123], first[123:]}, len(first)},
		"parts, with again": {[][]string{slices.Concat(first[:123], first[7:8]), slices.Concat(first[123:], first[200:201])},
			len(first) + 2},
		"a part again":        {[][]string{first, first[60:180]}, len(first)},
		"other events":        {[][]string{clicked, slices.Concat(first, clicked)}, len(first) + len(clicked)},
		"some that came late": {[][]string{onTime, first}, len(first)},
	} {
		t.Run(name, func(t *testing.T) {
			var inputs []importer.Input
			for _, rows := range c.files {
				text := "install_id;custom_id;advertising_id;event_date;event_type;cta;cta_position\n" + strings.Join(rows, "\n") + "\n"
				inputs = append(inputs, importer.Input{Name: "hourly.csv", Kind: "in-app-campaign.events", Reader: strings.NewReader(text)})
			}
			summary, err := importer.Files(context.Background(), library, inputs, importer.Options{Directory: t.TempDir()},
				func(string, []byte) error { return nil })
			must.Hold(t, err == nil && int(summary.Events) == c.want, "%d events, want %d: %v", summary.Events, c.want, err)
		})
	}
}
