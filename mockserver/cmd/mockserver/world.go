package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// What serve and generate say of the same flags.
const (
	seedUsage     = "generate the population from seed `N`: the same seed gives the same profiles and files on any machine"
	profilesUsage = "set the final size of the population to `N` profiles; two thirds of them exist at the beginning of 2026, and more join every week (--growth)"
)

// worldFlags are the flags that shape the synthetic population; serve and
// generate share them.
func worldFlags(flags *pflag.FlagSet, w *mockserver.World) {
	for _, share := range []struct {
		name, about string
		value       **float64
	}{
		{"push-only", "set the share of profiles, 0 to 1, with an installation and neither e-mail address nor telephone number to `SHARE`" + usually(world.DefaultPushOnly), &w.PushOnly},
		{"email-only", "set the share of profiles with an e-mail address and neither installation nor telephone number to `SHARE`" + usually(world.DefaultEmailOnly), &w.EmailOnly},
		{"sms", "set the share of profiles with a telephone number to `SHARE`; the three shares add up to at most 1, and defaults give way" + usually(world.DefaultSMS), &w.SMS},
		{"push-opt-in", "set the share of installations that usually accept push notifications to `SHARE`" + usually(world.DefaultPushOptIn), &w.PushOptIn},
		{"email-opt-in", "set the share of profiles with an e-mail address that usually accept marketing e-mails to `SHARE`" + usually(world.DefaultEmailOptIn), &w.EmailOptIn},
		{"sms-opt-in", "set the share of profiles with a telephone number that usually accept marketing SMS to `SHARE`" + usually(world.DefaultSMSOptIn), &w.SMSOptIn},
		{"audience-share", "set the share of installations that a campaign or group may reach to `SHARE`; without it, all for push messages" + between(world.LeastAudience, world.MostAudience, "campaign token"), &w.AudienceShare},
		{"growth", "let the population grow by `SHARE` of itself in a year, 0 to 1; with 0 all profiles are there from the beginning" + usually(world.DefaultGrowth), &w.Growth},
		{"ends-by-message", "let a `SHARE` of withdrawals and of lost addresses and push tokens come with an event of a message: an unsubscription, a complaint, a hard bounce" + usually(world.DefaultEndsByMessage), &w.EndsByMessage},
		{"segment-share", "set the share of profiles in a segment to `SHARE`" + between(world.LeastSegment, world.MostSegment, "segment code"), &w.SegmentShare},
		{"local-sending", "let `SHARE` of the orchestrations send by the clocks of the people they write to, first those of SMS and push messages, 0 to 1; the others send by UTC" + usually(world.DefaultLocalSending), &w.LocalSending},
	} {
		settings.Func(flags, share.name, share.about, func(text string) error {
			value, err := parseShare(text)
			*share.value = &value
			return err
		})
		settings.Share(flags, share.name)
	}
	settings.Func(flags, "campaigns", "send the messages of profiles from `N` orchestrations"+usually(world.DefaultCampaigns), func(text string) error {
		value, err := strconv.Atoi(text)
		if err != nil || value < 1 || value > world.MaxCampaigns {
			return fmt.Errorf("must be a whole number from 1 to %d", world.MaxCampaigns)
		}
		w.Campaigns = &value
		return nil
	})
	settings.Whole(flags, "campaigns", 1, world.MaxCampaigns)
	settings.Func(flags, "weekly-messages", "plan `N` messages a week for each profile before Christmas, and fewer in other seasons; push messages three times as often; those without an address or consent get fewer"+usually(world.DefaultWeeklyMessages), func(text string) error {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil || !(value >= 0 && value <= world.MaxWeeklyMessages) {
			return fmt.Errorf("must be a number from 0 to %d, such as 2.5", world.MaxWeeklyMessages)
		}
		w.WeeklyMessages = &value
		return nil
	})
	settings.Number(flags, "weekly-messages", 0, world.MaxWeeklyMessages)
	for _, list := range []struct {
		name, about string
		count       int
		value       *[]int
	}{
		{"send-hours", "send messages at the hours of a day, by UTC or where people live (--local-sending), as often as `WEIGHTS` say: 24 whole numbers, separated by commas (default busy in the morning and the early evening)", world.HoursOfDay, &w.SendHours},
		{"send-weekdays", "send messages on the days of a week as often as `WEIGHTS` say: 7 whole numbers, from Monday on (default least on Sunday)", world.DaysOfWeek, &w.SendWeekdays},
		{"app-hours", "let people use the app at the hours of a day, where they live, as often as `WEIGHTS` say: 24 whole numbers (default most in the evening)", world.HoursOfDay, &w.AppHours},
		{"app-weekdays", "let people use the app on the days of a week as often as `WEIGHTS` say: 7 whole numbers, from Monday on (default most on Saturday and Sunday)", world.DaysOfWeek, &w.AppWeekdays},
	} {
		settings.Func(flags, list.name, list.about, func(text string) (err error) {
			*list.value, err = parseWeights(text, list.count)
			return err
		})
		settings.Matching(flags, list.name, `^ *[0-9]+( *, *[0-9]+)*$`)
	}
	settings.Func(flags, "phones", "let profiles share the reserved telephone numbers when these are used up, after some 34,500 profiles (`repeat`), or have none"+usually(world.PhonesRepeat), func(text string) error {
		if w.Phones = world.Phones(text); w.Phones != world.PhonesRepeat && w.Phones != world.PhonesNone {
			return errors.New("must be repeat or none")
		}
		return nil
	})
	settings.OneOf(flags, "phones", string(world.PhonesRepeat), string(world.PhonesNone))
	settings.Func(flags, "texture", "write texts `tidy`, without quotes or letters beyond ASCII; realistic, as awkward as those of real people; sudden, realistic from the 20,480th profile on; or hostile, awkward everywhere"+usually(texture.Realistic), func(text string) error {
		if w.Texture = texture.Level(text); text == "" || !w.Texture.Known() {
			return errors.New("must be tidy, realistic, sudden or hostile")
		}
		return nil
	})
	settings.OneOf(flags, "texture", string(texture.Tidy), string(texture.Realistic), string(texture.Sudden), string(texture.Hostile))
	repeated(flags, &w.Rates, "rate", "set the share of messages that go on from the previous step to an event, as `EVENT=SHARE`, such as email_open=0.5; repeatable (default what the schemas say)", namedShare("an event", "email_open=0.5"))
	repeated(flags, &w.Weights, "weight", "let the values of a column come as often as weights say, as `COLUMN=VALUE:WEIGHT;...`, such as platform=ios:3;android:1; columns are "+strings.Join(world.WeightColumns(), ", ")+"; repeatable (default as the world usually has them)", world.ParseWeights)
	repeated(flags, &w.CampaignQuality, "campaign-quality", "let the campaigns of a channel be answered as `CHANNEL=FACTORS` says against their mean, from the worst to the best, such as email=0.5;1;1.5; channels are "+strings.Join(world.QualityChannels(), ", ")+"; repeatable (default from half to one and a half, evenly; closer of push messages)", world.ParseQuality)
	settings.Lists(flags, "campaign-quality")
	var changes []string
	for _, what := range world.ChangeNames() {
		changes = append(changes, fmt.Sprintf("%s=%v", what, world.UsualChange(what)))
	}
	repeated(flags, &w.Changes, "change", "let a share of those who have it lose something within four weeks, and get it back about two weeks later: `WHAT=SHARE`, such as email_consent=0.05; repeatable (default "+strings.Join(changes, ", ")+")", namedShare("a consent, an address or a token", "email_consent=0.05"))
}

// repeated is a flag that says something of one name each time.
func repeated[T any](flags *pflag.FlagSet, into *map[string]T, name, about string, parse func(text string) (string, T, error)) {
	settings.RepeatedFunc(flags, name, about, func(text string) error {
		of, value, err := parse(text)
		if err != nil {
			return err
		}
		if *into == nil {
			*into = map[string]T{}
		}
		(*into)[of] = value
		return nil
	})
}

// namedShare reads what something is of, and a share.
func namedShare(what, example string) func(text string) (string, float64, error) {
	return func(text string) (string, float64, error) {
		name, share, found := strings.Cut(text, "=")
		if !found || name == "" {
			return "", 0, fmt.Errorf("must be %s and its share, such as %s", what, example)
		}
		value, err := parseShare(share)
		if err != nil {
			return "", 0, fmt.Errorf("the share of %s %w", name, err)
		}
		return name, value, nil
	}
}

// arrivalFlag is that of how rows arrive; serve and generate share it.
func arrivalFlag(flags *pflag.FlagSet, text *string) {
	settings.Func(flags, "arrival", "let rows arrive as `WHEN` says: none, all on time, once and in order, or parts of a scenario, separated by semicolons: late:SHARE,UP-TO, such as late:0.03,72h, a share of the events that devices tell up to so much later; duplicates:SHARE; skew:SHARE,UP-TO; unordered"+usually("none"), func(given string) error {
		*text = given
		_, err := arrival.Parse(given)
		return err
	})
	settings.Matching(flags, "arrival", "^(none|((late|skew) *[:=] *[0-9.eE+-]+ *, *[^;]+|duplicates *[:=] *[0-9.eE+-]+|unordered)( *; *((late|skew) *[:=] *[0-9.eE+-]+ *, *[^;]+|duplicates *[:=] *[0-9.eE+-]+|unordered))*)$")
}

// usually states the default of a flag.
func usually(value any) string { return fmt.Sprintf(" (default %v)", value) }

// between states the default of a share that something of a request chooses.
func between(least, most int, from string) string {
	return fmt.Sprintf(" (default %v to %v, derived from the %s)", float64(least)/100, float64(most)/100, from)
}

func parseWeights(text string, count int) (weights []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		weight, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || weight < 0 || weight > world.MaxWeight {
			return nil, fmt.Errorf("must be %d whole numbers from 0 to %d, separated by commas", count, world.MaxWeight)
		}
		weights = append(weights, weight)
	}
	if len(weights) != count {
		return nil, fmt.Errorf("has %d weights; it must be %d", len(weights), count)
	}
	return weights, nil
}

func parseShare(text string) (float64, error) {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= 1) {
		return 0, errors.New("must be a share from 0 to 1, such as 0.25")
	}
	return value, nil
}

// checkWorld finds flags that contradict each other.
func checkWorld(w mockserver.World) error { return worldMisuse(w.Check()) }

// worldMisuse names the flag that set what is wrong with a world.
func worldMisuse(err error) error {
	var wrong *world.SettingsError
	if !errors.As(err, &wrong) {
		return err
	}
	flags := map[string]string{
		"PushOnly": "push-only", "EmailOnly": "email-only", "SMS": "sms", "PushOptIn": "push-opt-in", "EmailOptIn": "email-opt-in",
		"SMSOptIn": "sms-opt-in", "AudienceShare": "audience-share", "SegmentShare": "segment-share", "Growth": "growth",
		"LocalSending": "local-sending",
		"Campaigns":    "campaigns", "WeeklyMessages": "weekly-messages", "Rates": "rate", "Weights": "weight", "Texture": "texture", "Phones": "phones",
		"CampaignQuality": "campaign-quality", "Changes": "change", "EndsByMessage": "ends-by-message",
		"SendHours": "send-hours", "SendWeekdays": "send-weekdays", "AppHours": "app-hours", "AppWeekdays": "app-weekdays",
	}
	if wrong.Event != "" {
		return usage.Errorf("--%s %s %s", flags[wrong.Field], wrong.Event, wrong.Reason)
	}
	return usage.Errorf("--%s %s", flags[wrong.Field], wrong.Reason)
}
