package main

import (
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

func handwrittenProfileEvents(f *facts) rowWriter {
	status, variant := f.get("orchestration.ab_testing_status"), f.get("orchestration.ab_testing_variant")
	email, provider, phone, country := f.get("profile.email_address"), f.get("profile.mailbox_provider"), f.get("profile.phone_number"), f.get("profile.phone_country")
	code, kind := f.get("event.bounce_code"), f.get("event.bounce_type")
	url, urlName := f.get("event.click_url"), f.get("event.click_url_name")
	date, machine, language, parts := f.get("event.date"), f.get("event.machine_open"), f.get("event.message_language"), f.get("event.sms_parts")
	optIn, platform := f.get("installation.is_optin"), f.get("installation.platform")
	orchestration, name := f.get("orchestration.id"), f.get("orchestration.name")
	sent, step, stepName := f.get("orchestration.sent_id"), f.get("orchestration.step_id"), f.get("orchestration.step_name")
	profile, custom := f.get("profile.id"), f.get("profile.custom_id")
	platforms := []string{`"IOS"`, `"ANDROID"`, `"WEBPUSH"`}

	type about struct {
		typed                []byte
		email, sms, push     bool
		open, click, bounced bool
	}
	var abouts []about
	for _, name := range f.scope.View.Events() {
		abouts = append(abouts, about{
			typed: []byte(`"event_type":"` + name + `",`), email: strings.HasPrefix(name, "email_"), sms: strings.HasPrefix(name, "sms_"), push: strings.HasPrefix(name, "push_"),
			open: name == "email_open", click: name == "email_click", bounced: strings.HasSuffix(name, "_bounced"),
		})
	}
	key := []byte(`"api_key":` + strconv.Quote(f.apiKey) + `,`)
	optional := func(dst []byte, name string, fact world.Fact, row *world.Row) []byte {
		dst = append(dst, name...)
		if fact.Absent(row) {
			return append(dst, "null,"...)
		}
		return append(fact.Text(append(dst, '"'), row), `",`...)
	}
	always := func(dst []byte, name string, fact world.Fact, row *world.Row) []byte {
		return append(fact.Text(append(dst, name...), row), `",`...)
	}
	return func(dst []byte, row *world.Row) []byte {
		a := &abouts[row.Event]
		dst = append(dst, ",\n{"...)
		if dst = append(dst, `"ab_testing_status":`...); status.Absent(row) {
			dst = append(dst, "null,"...)
		} else {
			dst = append(append(append(dst, '"'), status.Names[status.Choice(row)]...), `",`...)
		}
		dst = optional(dst, `"ab_testing_variant":`, variant, row)
		dst = append(dst, key...)
		if a.bounced {
			dst = always(dst, `"bounce_code":"`, code, row)
			dst = always(dst, `"bounce_type":"`, kind, row)
		}
		if a.click {
			dst = always(dst, `"click_url":"`, url, row)
			dst = always(dst, `"click_url_name":"`, urlName, row)
		}
		if a.email {
			if email.Absent(row) {
				dst = append(dst, `"email_address":"",`...)
			} else {
				dst = always(dst, `"email_address":"`, email, row)
			}
		}
		dst = append(appendTime(append(dst, `"event_date":"`...), date.Time(row)), `Z",`...)
		dst = append(dst, a.typed...)
		if a.open {
			dst = strconv.AppendBool(append(dst, `"machine_open":`...), machine.Flag(row))
			dst = append(dst, ',')
		}
		if a.email && !provider.Absent(row) {
			dst = always(dst, `"mailbox_provider":"`, provider, row)
		}
		if a.push {
			dst = strconv.AppendBool(append(dst, `"is_push_opt_in":`...), optIn.Flag(row))
			dst = append(dst, ',')
		}
		dst = always(dst, `"message_language":"`, language, row)
		dst = always(dst, `"orchestration_id":"`, orchestration, row)
		dst = optional(dst, `"orchestration_name":`, name, row)
		if a.sms {
			if !country.Absent(row) {
				dst = always(dst, `"phone_country":"`, country, row)
			}
			if phone.Absent(row) {
				dst = append(dst, `"phone_number":"",`...)
			} else {
				dst = always(dst, `"phone_number":"`, phone, row)
			}
		}
		if a.push {
			dst = append(append(append(dst, `"platform":`...), platforms[platform.Choice(row)]...), ',')
		}
		dst = always(dst, `"sent_id":"`, sent, row)
		dst = always(dst, `"step_id":"`, step, row)
		dst = optional(dst, `"step_name":`, stepName, row)
		if a.sms {
			dst = append(strconv.AppendInt(append(dst, `"sms_parts":`...), parts.Number(row), 10), ',')
		}
		dst = append(profile.Text(append(dst, `"identifiers":{"profile_id":"`...), row), `","custom_id":"`...)
		if !custom.Absent(row) {
			dst = custom.Text(dst, row)
		}
		return append(dst, `"}}`...)
	}
}

func handwrittenAttributes(f *facts) rowWriter {
	created, visited, active := f.get("profile.creation_date"), f.get("profile.last_visit_date"), f.get("profile.last_activity")
	email, emailConsent := f.get("profile.email_address"), f.get("profile.email_marketing")
	phone, smsConsent := f.get("profile.phone_number"), f.get("profile.sms_marketing")
	click, open := f.get("profile.last_email_marketing_click"), f.get("profile.last_email_marketing_open")
	transactionalClick, transactionalOpen := f.get("profile.last_email_transactional_click"), f.get("profile.last_email_transactional_open")
	language, region, timezone := f.get("profile.language"), f.get("profile.region"), f.get("profile.timezone")
	installations, installation, optIn, platform := f.get("profile.installations"), f.get("installation.id"), f.get("installation.is_optin"), f.get("installation.platform")
	profile, custom := f.get("profile.id"), f.get("profile.custom_id")
	consents := []string{`"unsubscribed",`, `"subscribed",`}
	platforms := []string{`,"platform":"IOS"},`, `,"platform":"ANDROID"},`, `,"platform":"WEBPUSH"},`}

	text := func(dst []byte, name string, fact *world.Fact, row *world.Row) []byte {
		dst = append(dst, name...)
		if fact.Absent != nil && fact.Absent(row) {
			return append(dst, "null,"...)
		}
		return append(fact.Text(append(dst, '"'), row), `",`...)
	}
	moment := func(dst []byte, name string, fact *world.Fact, row *world.Row) []byte {
		dst = append(dst, name...)
		if fact.Absent != nil && fact.Absent(row) {
			return append(dst, "null,"...)
		}
		return append(appendTime(append(dst, '"'), fact.Time(row)), `Z",`...)
	}
	consent := func(dst []byte, name string, fact *world.Fact, row *world.Row) []byte {
		dst = append(dst, name...)
		if fact.Absent(row) {
			return append(dst, "null,"...)
		}
		return append(dst, consents[fact.Choice(row)]...)
	}
	var items []world.Row
	return func(dst []byte, row *world.Row) []byte {
		items = installations.Each(row, items[:0])
		dst = moment(dst, ",\n"+`{"attributes":{"$creation_date":`, &created, row)
		dst = text(dst, `"$email_address":`, &email, row)
		dst = consent(dst, `"$email_marketing":`, &emailConsent, row)
		dst = text(dst, `"$language":`, &language, row)
		dst = moment(dst, `"$last_activity":`, &active, row)
		dst = moment(dst, `"$last_email_marketing_click":`, &click, row)
		dst = moment(dst, `"$last_email_marketing_open":`, &open, row)
		dst = moment(dst, `"$last_email_transactional_click":`, &transactionalClick, row)
		dst = moment(dst, `"$last_email_transactional_open":`, &transactionalOpen, row)
		dst = moment(dst, `"$last_visit_date":`, &visited, row)
		dst = text(dst, `"$phone_number":`, &phone, row)
		if len(items) == 0 {
			dst = append(dst, `"$push_subscriptions":null,`...)
		} else {
			dst = append(dst, `"$push_subscriptions":[`...)
			for i := range items {
				dst = append(installation.Text(append(dst, `{"installation_id":"`...), &items[i]), `","is_subscribed":`...)
				dst = strconv.AppendBool(dst, optIn.Flag(&items[i]))
				dst = append(dst, platforms[platform.Choice(&items[i])]...)
			}
			dst = append(dst[:len(dst)-1], "],"...)
		}
		dst = text(dst, `"$region":`, &region, row)
		dst = consent(dst, `"$sms_marketing":`, &smsConsent, row)
		dst = text(dst, `"$timezone":`, &timezone, row)
		dst = append(profile.Text(append(dst[:len(dst)-1], `},"identifiers":{"profile_id":"`...), row), `",`...)
		if !custom.Absent(row) {
			dst = append(custom.Text(append(dst, `"custom_id":"`...), row), `",`...)
		}
		if len(items) > 0 {
			dst = append(dst, `"installation_ids":[`...)
			for i := range items {
				dst = append(installation.Text(append(dst, '"'), &items[i]), `",`...)
			}
			dst = append(dst[:len(dst)-1], "],"...)
		}
		return append(dst[:len(dst)-1], "}}"...)
	}
}
