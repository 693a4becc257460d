package mockserver_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestWorldSchemaStatesDefaults: the schema is what users read, and nothing makes it from the numbers.
func TestWorldSchemaStatesDefaults(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	schema := library.Schema("mock/world.json")
	for key, want := range map[string]any{
		"profiles": mockserver.DefaultProfiles, "growth": world.DefaultGrowth,
		"push-only": world.DefaultPushOnly, "email-only": world.DefaultEmailOnly, "sms": world.DefaultSMS,
		"push-opt-in": world.DefaultPushOptIn, "email-opt-in": world.DefaultEmailOptIn, "sms-opt-in": world.DefaultSMSOptIn,
		"campaigns": world.DefaultCampaigns, "churn": world.DefaultChurn, "weekly-messages": world.DefaultWeeklyMessages,
	} {
		if got := schema.Properties[key]; got == nil || fmt.Sprint(got.Default) != fmt.Sprint(want) {
			t.Errorf("the schema does not say that the default of %s is %v", key, want)
		}
	}
	if got := schema.Properties["profiles"].Maximum.FloatString(0); got != fmt.Sprint(mockserver.MaxProfiles) {
		t.Errorf("the schema says that there are at most %s profiles, not %d", got, mockserver.MaxProfiles)
	}
	for field := range reflect.TypeFor[mockserver.World]().Fields() {
		if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); schema.Properties[key] == nil {
			t.Errorf("the schema does not know %s", key)
		}
	}
}
