package world_test

import (
	"testing"

	"github.com/nyaruka/phonenumbers"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Whoever consents to SMS has a number that may be that of a mobile telephone, unless more
// are to consent than have one.
func TestSMSGoToMobileTelephones(t *testing.T) {
	for _, settings := range []world.Settings{{}, {SMS: share(0.9), SMSOptIn: share(0.9), EmailOnly: share(0)}} {
		w, err := world.NewWith(41, 20_000, settings)
		if err != nil {
			t.Fatal(err)
		}
		view := open(t, w, world.Query{View: vocabulary.ViewProfiles, Now: now})
		scope := world.Scope{View: view}
		number, consent := factOf(t, w, "profile.phone_number", scope), factOf(t, w, "profile.sms_marketing", scope)
		var phones, consenting, landlines float64
		regions := map[string]int{}
		for _, row := range rowsOf(view) {
			if number.Absent(&row) {
				continue
			}
			parsed, err := phonenumbers.Parse(textOf(&number, &row), "")
			if err != nil {
				t.Fatal(err)
			}
			phones++
			if textOf(&consent, &row) != "subscribed" {
				continue
			}
			consenting++
			regions[phonenumbers.GetRegionCodeForNumber(parsed)]++
			if class := phonenumbers.GetNumberType(parsed); class != phonenumbers.MOBILE && class != phonenumbers.FIXED_LINE_OR_MOBILE {
				landlines++
			}
		}
		want := world.DefaultSMSOptIn
		if settings.SMSOptIn != nil {
			want = *settings.SMSOptIn
		}
		near(t, "the share of telephones with consent", consenting/phones, want, 0.03)
		if settings.SMSOptIn == nil && landlines > 0 || settings.SMSOptIn != nil && landlines == 0 {
			t.Errorf("of %v with consent, %v have a landline (%v)", consenting, landlines, regions)
		}
	}
}
