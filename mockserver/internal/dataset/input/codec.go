package input

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// Members are the members of a row by their type, in a fixed order: what
// encodes, decodes and reads rows goes through it.
type Members struct {
	textSpace   [28]*string
	dateSpace   [7]*Timestamp
	flagSpace   [4]**bool
	numberSpace [2]**Integer

	textCount, dateCount, flagCount, numberCount int

	list    *[]string // nil: there is none
	raw     *json.RawMessage
	further *Further
}

func (m *Members) texts() []*string     { return m.textSpace[:m.textCount] }
func (m *Members) dates() []*Timestamp  { return m.dateSpace[:m.dateCount] }
func (m *Members) flags() []**bool      { return m.flagSpace[:m.flagCount] }
func (m *Members) numbers() []**Integer { return m.numberSpace[:m.numberCount] }

// memberNames are the names of the members, in the same order.
type memberNames struct{ texts, dates, flags, numbers, lists, raws []string }

// rowMembers is a row that says what members it has.
type rowMembers interface {
	Members(m *Members)
	names() memberNames
}

// Members sets m to the members of the row.
func (r *Profile) Members(m *Members) {
	m.textCount = copy(m.textSpace[:], []*string{&r.ProfileID, &r.CustomID, &r.EmailAddress, &r.MailboxProvider, &r.EmailMarketing, &r.PhoneNumber, &r.PhoneCountry,
		&r.SMSMarketing, &r.Language, &r.Region, &r.Timezone})
	m.dateCount = copy(m.dateSpace[:], []*Timestamp{&r.CreationDate, &r.LastVisitDate, &r.LastActivity, &r.LastEmailMarketingOpen, &r.LastEmailMarketingClick,
		&r.LastEmailTransactionalOpen, &r.LastEmailTransactionalClick})
	m.flagCount, m.numberCount, m.list = 0, 0, &r.Segments
	m.raw = &r.Attributes
	m.further = &r.Further
}

func (r *Profile) names() memberNames {
	return memberNames{
		texts: []string{"profile_id", "custom_id", "email_address", "mailbox_provider", "email_marketing", "phone_number", "phone_country",
			"sms_marketing", "language", "region", "timezone"},
		dates: []string{"creation_date", "last_visit_date", "last_activity", "last_email_marketing_open", "last_email_marketing_click",
			"last_email_transactional_open", "last_email_transactional_click"},
		lists: []string{"segments"},
		raws:  []string{"attributes"},
	}
}

// Members sets m to the members of the row.
func (r *Installation) Members(m *Members) {
	m.textCount = copy(m.textSpace[:], []*string{&r.InstallID, &r.ProfileID, &r.CustomID, &r.AdvertisingID, &r.Platform, &r.SmartSegment})
	m.dateCount = copy(m.dateSpace[:], []*Timestamp{&r.InstallDate, &r.LastStartDate})
	m.flagCount = copy(m.flagSpace[:], []**bool{&r.IsOptin, &r.IsReachable, &r.HasCustomID})
	m.numberCount, m.list, m.raw = 0, nil, nil
	m.further = &r.Further
}

func (r *Installation) names() memberNames {
	return memberNames{
		texts: []string{"install_id", "profile_id", "custom_id", "advertising_id", "platform", "smart_segment"},
		dates: []string{"install_date", "last_start_date"},
		flags: []string{"is_optin", "is_reachable", "has_custom_id"},
	}
}

// Members sets m to the members of the row.
func (e *Event) Members(m *Members) {
	m.textCount = copy(m.textSpace[:], []*string{&e.Type, &e.InstallID, &e.ProfileID, &e.CustomID, &e.Campaign, &e.Group, &e.TransactionalToken, &e.CTA, &e.ClickURL,
		&e.ClickURLName, &e.BounceCode, &e.BounceType, &e.MessageLanguage, &e.OrchestrationID, &e.OrchestrationName, &e.StepID, &e.StepName,
		&e.SentID, &e.ABTestingStatus, &e.ABTestingVariant, &e.EventID, &e.EmailMarketing, &e.SMSMarketing, &e.EmailAddress, &e.PhoneNumber,
		&e.Collection, &e.Tag, &e.Attribute})
	m.dateCount = copy(m.dateSpace[:], []*Timestamp{&e.Date})
	m.flagCount = copy(m.flagSpace[:], []**bool{&e.MachineOpen, &e.IsOptin, &e.IsReachable, &e.HasCustomID})
	m.numberCount = copy(m.numberSpace[:], []**Integer{&e.CTAPosition, &e.SMSParts})
	m.list = &e.Reasons
	m.raw = &e.Value
	m.further = &e.Further
}

func (e *Event) names() memberNames {
	return memberNames{
		texts: []string{"type", "install_id", "profile_id", "custom_id", "campaign", "group", "transactional_token", "cta", "click_url",
			"click_url_name", "bounce_code", "bounce_type", "message_language", "orchestration_id", "orchestration_name", "step_id", "step_name",
			"sent_id", "ab_testing_status", "ab_testing_variant", "event_id", "email_marketing", "sms_marketing", "email_address", "phone_number",
			"collection", "tag", "attribute"},
		dates:   []string{"date"},
		flags:   []string{"machine_open", "is_optin", "is_reachable", "has_custom_id"},
		numbers: []string{"cta_position", "sms_parts"},
		lists:   []string{"reasons"},
		raws:    []string{"value"},
	}
}

// AppendMembers encodes what a row says: per type of member a mask of those
// that are given, and their values.
func AppendMembers(dst []byte, m *Members) []byte {
	mask := uint64(0)
	for i, text := range m.texts() {
		if *text != "" {
			mask |= 1 << i
		}
	}
	dst = binary.AppendUvarint(dst, mask)
	for _, text := range m.texts() {
		if *text != "" {
			dst = blocks.AppendText(dst, *text)
		}
	}
	mask = 0
	for i, date := range m.dates() {
		if date.Given {
			mask |= 1 << i
		}
	}
	dst = binary.AppendUvarint(dst, mask)
	for _, date := range m.dates() {
		if date.Given {
			dst = binary.AppendVarint(dst, date.Second)
		}
	}
	given, state := uint64(0), uint64(0)
	for i, flag := range m.flags() {
		if *flag != nil {
			given |= 1 << i
			if **flag {
				state |= 1 << i
			}
		}
	}
	dst = binary.AppendUvarint(binary.AppendUvarint(dst, given), state)
	mask = 0
	for i, number := range m.numbers() {
		if *number != nil {
			mask |= 1 << i
		}
	}
	dst = binary.AppendUvarint(dst, mask)
	for _, number := range m.numbers() {
		if *number != nil {
			dst = binary.AppendVarint(dst, int64(**number))
		}
	}
	if m.list != nil {
		dst = binary.AppendUvarint(dst, uint64(len(*m.list)))
		for _, item := range *m.list {
			dst = blocks.AppendText(dst, item)
		}
	}
	if m.raw != nil {
		dst = binary.AppendUvarint(dst, uint64(len(*m.raw)))
		dst = append(dst, *m.raw...)
	}
	if *m.further == nil {
		return append(dst, 0)
	}
	text, err := json.Marshal(*m.further)
	if err != nil { // they come from a JSON text
		panic(fmt.Errorf("members of a row: %w", err))
	}
	return blocks.AppendText(dst, string(text))
}

var isTrue, isFalse = true, false

// decodeMembers decodes members.
func decodeMembers(d *blocks.Decoder, m *Members) {
	mask := d.Uint()
	for i, text := range m.texts() {
		if mask>>i&1 != 0 {
			*text = d.Text()
		}
	}
	mask = d.Uint()
	for i, date := range m.dates() {
		if mask>>i&1 != 0 {
			*date = Timestamp{d.Int(), true}
		}
	}
	given, state := d.Uint(), d.Uint()
	for i, flag := range m.flags() {
		switch {
		case given>>i&1 == 0:
		case state>>i&1 != 0:
			*flag = &isTrue
		default:
			*flag = &isFalse
		}
	}
	mask = d.Uint()
	for i, number := range m.numbers() {
		if mask>>i&1 != 0 {
			value := Integer(d.Int())
			*number = &value
		}
	}
	if m.list != nil {
		for count := d.Uint(); count > 0; count-- {
			*m.list = append(*m.list, d.Text())
		}
	}
	if m.raw != nil {
		if text := d.Text(); text != "" {
			*m.raw = json.RawMessage(text)
		}
	}
	if text := d.Text(); text != "" {
		if err := DecodeExact([]byte(text), m.further, false); err != nil {
			panic(err)
		}
	}
}

// Decode reads what [AppendMembers] wrote.
func (r *Profile) Decode(text string) {
	var m Members
	r.Members(&m)
	d := blocks.NewDecoder(text)
	decodeMembers(&d, &m)
}

// Decode reads what [AppendMembers] wrote.
func (r *Installation) Decode(text string) {
	var m Members
	r.Members(&m)
	d := blocks.NewDecoder(text)
	decodeMembers(&d, &m)
}

// Decode reads what [AppendMembers] wrote.
func (e *Event) Decode(text string) {
	var m Members
	e.Members(&m)
	d := blocks.NewDecoder(text)
	decodeMembers(&d, &m)
}

var memberPlaces = sync.OnceValue(func() map[Kind]map[string]memberPlace {
	places := map[Kind]map[string]memberPlace{}
	for _, kind := range Kinds() {
		places[kind] = placesOf(kind)
	}
	return places
})

// ValueOf is what a row of a kind says under the name of a member: a text, or a
// number. Times are seconds, and flags 0 and 1.
func ValueOf(kind Kind, row interface{ Members(*Members) }, member string) (text string, number int64, is bool) {
	place, known := memberPlaces()[kind][member]
	if !known {
		return "", 0, false
	}
	var m Members
	row.Members(&m)
	switch place.kind {
	case 't':
		text = *m.textSpace[place.index]
		return text, 0, text != ""
	case 'd':
		return "", m.dateSpace[place.index].Second, m.dateSpace[place.index].Given
	case 'f':
		if flag := *m.flagSpace[place.index]; flag != nil {
			if *flag {
				number = 1
			}
			return "", number, true
		}
	case 'n':
		if value := *m.numberSpace[place.index]; value != nil {
			return "", int64(*value), true
		}
	}
	return "", 0, false
}
