package check

import (
	"encoding/binary"
	"strings"
)

// The sources that the rules about installations, profiles and customers look at.
var (
	installationValues = setOf(installationID, advertisingID, platform, installDate, lastStartDate, isOptIn, isReachable,
		hasCustomID,
		profileID, customID, eventType, eventChannel, eventReasons, eventToken, apiKey)
	profileValues = setOf(profileID, customID, creationDate, emailAddress, emailMarketing, smsMarketing, phoneNumber, phoneCountry, region,
		lastActivity, lastVisitDate, lastMarketingClick, lastMarketingOpen, lastTransactionalClick, lastTransactionalOpen,
		hasEmailAddress, hasPhoneNumber, installationID, isOptIn, eventType, eventChannel, eventReasons, sentID, apiKey, bounceType)
	customerValues = setOf(profileID)
	sendingValues  = setOf(eventType)
)

// appendRow encodes a row so that the order of the bytes is that of key, class, time, file and row.
func appendRow(dst []byte, key string, r *row, wanted sourceSet) []byte {
	dst = appendText(dst, key)
	dst = append(dst, byte(r.class))
	dst = binary.BigEndian.AppendUint64(dst, uint64(r.time)^1<<63)
	dst = binary.BigEndian.AppendUint32(dst, uint32(r.file))
	dst = binary.BigEndian.AppendUint64(dst, uint64(r.row))
	dst = binary.AppendUvarint(dst, uint64(r.line))
	dst = binary.LittleEndian.AppendUint64(dst, r.digest)
	known := r.known & wanted
	dst = binary.AppendUvarint(dst, uint64(known))
	for rest := known; rest != 0; {
		s := rest.pop()
		if s == eventReasons {
			dst = appendText(dst, strings.Join(r.reasons, " "))
		} else {
			dst = appendText(dst, r.values[s])
		}
	}
	return dst
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// keyOf is the part of a record that rows about the same thing share.
func keyOf(record []byte) []byte {
	length, n := binary.Uvarint(record)
	return record[:n+int(length)]
}

// readRow reads what appendRow wrote behind the key.
func readRow(record []byte, r *row) {
	r.reset()
	length, n := binary.Uvarint(record)
	rest := string(record[n+int(length):])
	number := func() uint64 {
		value, n := uvarint(rest)
		rest = rest[n:]
		return value
	}
	text := func() string {
		length := number()
		value := rest[:length]
		rest = rest[length:]
		return value
	}
	fixed := []byte(rest[:21])
	r.class = class(fixed[0])
	r.time = moment(binary.BigEndian.Uint64(fixed[1:]) ^ 1<<63)
	r.file = int32(binary.BigEndian.Uint32(fixed[9:]))
	r.row = int64(binary.BigEndian.Uint64(fixed[13:]))
	rest = rest[21:]
	r.line = int64(number())
	r.digest = binary.LittleEndian.Uint64([]byte(rest[:8]))
	rest = rest[8:]
	r.known = sourceSet(number())
	for rest := r.known; rest != 0; {
		s := rest.pop()
		r.values[s] = text()
		if s == eventReasons {
			r.reasons = strings.Fields(r.values[s])
		}
	}
	r.hasTime = r.class == eventRow
}

func uvarint(text string) (value uint64, n int) {
	for shift := 0; n < len(text); shift += 7 {
		c := text[n]
		n++
		value |= uint64(c&0x7f) << shift
		if c < 0x80 {
			break
		}
	}
	return value, n
}
