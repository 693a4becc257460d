package mockserver_test

import (
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// TestWorldDocStatesDefaults: the comment of World is what users read, and
// nothing makes it from the numbers.
func TestWorldDocStatesDefaults(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "world.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{} // by field
	for _, group := range file.Comments {
		for _, block := range new(comment.Parser).Parse(group.Text()).Content {
			if code, is := block.(*comment.Code); is {
				for line := range strings.Lines(code.Text) {
					field, about, _ := strings.Cut(strings.TrimSpace(line), " ")
					lines[field] = about
				}
			}
		}
	}
	percent := func(least, most int) string { return fmt.Sprintf("; %v to %v,", float64(least)/100, float64(most)/100) }
	for field, want := range map[string]string{
		"PushOnly": fmt.Sprint("; ", world.DefaultPushOnly), "EmailOnly": fmt.Sprint("; ", world.DefaultEmailOnly), "SMS": fmt.Sprint("; ", world.DefaultSMS),
		"PushOptIn": fmt.Sprint("; ", world.DefaultPushOptIn), "EmailOptIn": fmt.Sprint("; ", world.DefaultEmailOptIn), "SMSOptIn": fmt.Sprint("; ", world.DefaultSMSOptIn),
		"AudienceShare": percent(world.LeastAudience, world.MostAudience), "SegmentShare": percent(world.LeastSegment, world.MostSegment),
		"LocalSending":   fmt.Sprint("; ", world.DefaultLocalSending),
		"EndsByMessage":  fmt.Sprint("; ", world.DefaultEndsByMessage),
		"Campaigns":      fmt.Sprintf("1 to %d,%03d; %d", world.MaxCampaigns/1000, world.MaxCampaigns%1000, world.DefaultCampaigns),
		"WeeklyMessages": fmt.Sprintf("0 to %d; %d", world.MaxWeeklyMessages, world.DefaultWeeklyMessages),
	} {
		if !strings.Contains(lines[field]+"\n", want) {
			t.Errorf("the doc of World says of %s %q, want %q in it", field, lines[field], want)
		}
	}
}
