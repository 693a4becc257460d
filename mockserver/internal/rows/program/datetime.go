package program

import "encoding/binary"

// timeWidth is the length of a date and time without its zone.
const timeWidth = len("2006-01-02T15:04:05")

// appendDateTime writes seconds since 1970 as YYYY-MM-DDTHH:mm:ss, for the
// years 0 to 9999.
func appendDateTime(dst []byte, seconds int64) []byte {
	days, rest := seconds/86_400, seconds%86_400
	if rest < 0 {
		days, rest = days-1, rest+86_400
	}
	// Days to a date of the Gregorian calendar, in years that begin in March, so that the
	// leap day comes last: the affine functions of Neri and Schneider (2022), "Euclidean
	// affine functions and their application to calendar algorithms", which divide by
	// multiplying.
	quarters := 4*uint64(days+719_468) + 3
	century, inCentury := quarters/146_097, quarters%146_097|3
	product := 2_939_745 * inCentury
	year, inYear := product>>32, product&(1<<32-1)/2_939_745/4
	affine := 2_141*inYear + 197_913
	month, date := affine>>16, affine&(1<<16-1)/2_141+1
	if inYear >= 306 { // January and February belong to the next year
		month -= 12
		if year++; year == 100 {
			year, century = 0, century+1
		}
	}
	hour, inHour := uint64(rest)/3600, uint64(rest)%3600
	dst = append(dst, "0000-00-00T00:00:00"...)
	text := (*[timeWidth]byte)(dst[len(dst)-timeWidth:])
	binary.LittleEndian.PutUint64(text[0:], pair(century)|pair(year)<<16|'-'<<32|pair(month)<<40|'-'<<56)
	binary.LittleEndian.PutUint64(text[8:], pair(date)|'T'<<16|pair(hour)<<24|':'<<40|pair(inHour/60)<<48)
	binary.LittleEndian.PutUint16(text[17:], uint16(pair(inHour%60)))
	return dst
}

// pair are the two digits of a number below 100, the first one in the lowest byte.
func pair(n uint64) uint64 {
	tens := n * 103 >> 10
	return tens | (n-10*tens)<<8 | '0'<<8 | '0'
}
