package mockserver_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/simulation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestWorldSchemaStatesDefaults: the schema is what users read, and nothing makes it from the numbers.
func TestWorldSchemaStatesDefaults(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	schema := library.Schema("mock/world.json")
	for key, want := range map[string]any{
		"profiles": mockserver.DefaultProfiles, "growth": simulation.DefaultGrowth,
		"push-only": simulation.DefaultPushOnly, "email-only": simulation.DefaultEmailOnly, "sms": simulation.DefaultSMS,
		"push-opt-in": simulation.DefaultPushOptIn, "email-opt-in": simulation.DefaultEmailOptIn, "sms-opt-in": simulation.DefaultSMSOptIn,
		"campaigns": simulation.DefaultCampaigns, "churn": simulation.DefaultChurn, "weekly-messages": simulation.DefaultWeeklyMessages,
	} {
		if got := schema.Properties[key]; got == nil || fmt.Sprint(got.Default) != fmt.Sprint(want) {
			t.Errorf("the schema does not say that the default of %s is %v", key, want)
		}
	}
	for key, most := range map[string]int{"profiles": mockserver.MaxProfiles, "campaigns": simulation.MaxCampaigns, "weekly-messages": simulation.MaxWeeklyMessages} {
		if got := schema.Properties[key].Maximum.FloatString(0); got != fmt.Sprint(most) {
			t.Errorf("the schema says that %s is at most %s, not %d", key, got, most)
		}
	}
	for field := range reflect.TypeFor[mockserver.World]().Fields() {
		if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); schema.Properties[key] == nil {
			t.Errorf("the schema does not know %s", key)
		}
	}
}
