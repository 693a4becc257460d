package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// worldFlags are the flags that shape the synthetic population; serve and
// generate share them.
func worldFlags(flags *pflag.FlagSet, w *mockserver.World) {
	for _, share := range []struct {
		name, about string
		value       **float64
	}{
		{"push-only", "let `SHARE` of the profiles, from 0 to 1, have an installation and no address (default 0.07)", &w.PushOnly},
		{"email-only", "let `SHARE` of the profiles have an e-mail address, no installation and no telephone (default 0.05)", &w.EmailOnly},
		{"sms", "let `SHARE` of the profiles have a telephone number (default 0.56)", &w.SMS},
		{"push-opt-in", "let `SHARE` of the installations usually take push notifications (default 0.64)", &w.PushOptIn},
		{"email-opt-in", "let `SHARE` of those with an e-mail address usually take marketing e-mails (default 0.74)", &w.EmailOptIn},
		{"sms-opt-in", "let `SHARE` of those with a telephone number usually take marketing SMS (default 0.55)", &w.SMSOptIn},
		{"audience-share", "make the audience of every campaign or group `SHARE` of the installations (default 0.2 to 0.8, as its token chooses)", &w.AudienceShare},
		{"segment-share", "make every segment `SHARE` of the profiles (default 0.05 to 0.5, as its code chooses)", &w.SegmentShare},
	} {
		readBy(flags, share.name, share.about, func(text string) error {
			value, err := parseShare(text)
			*share.value = &value
			return err
		})
	}
	for _, number := range []struct {
		name, about string
		low, high   int
		value       **int
	}{
		{"campaigns", "let `N` orchestrations send the messages of profiles (default 24)", 1, world.MaxCampaigns, &w.Campaigns},
		{"weekly-messages", "mean `N` messages a week for each profile; who has no address or did not consent gets fewer (default 3)", 0, world.MaxWeeklyMessages, &w.WeeklyMessages},
	} {
		readBy(flags, number.name, number.about, func(text string) error {
			value, err := strconv.Atoi(text)
			if err != nil || value < number.low || value > number.high {
				return fmt.Errorf("must be a whole number from %d to %d", number.low, number.high)
			}
			*number.value = &value
			return nil
		})
	}
	severalBy(flags, "rate", "let so many messages reach an event, `EVENT=SHARE` such as email_open=0.5; may be given for several events (default what the schemas say)", func(text string) error {
		event, share, found := strings.Cut(text, "=")
		if !found || event == "" {
			return errors.New("must be an event and its share, such as email_open=0.5")
		}
		value, err := parseShare(share)
		if err != nil {
			return fmt.Errorf("the share of %s %w", event, err)
		}
		if w.Rates == nil {
			w.Rates = map[string]float64{}
		}
		w.Rates[event] = value
		return nil
	})
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
		"SMSOptIn": "sms-opt-in", "AudienceShare": "audience-share", "SegmentShare": "segment-share",
		"Campaigns": "campaigns", "WeeklyMessages": "weekly-messages", "Rates": "rate",
	}
	if wrong.Event != "" {
		return misuse("--%s %s %s", flags[wrong.Field], wrong.Event, wrong.Reason)
	}
	return misuse("--%s %s", flags[wrong.Field], wrong.Reason)
}
