package budget

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// units are those of sizes, the largest first.
var units = []struct {
	name  string
	bytes int64
}{{"TiB", tib}, {"GiB", gib}, {"MiB", mib}, {"KiB", kib}}

// ParseBytes reads a size: a number of bytes, or one with a unit, such as 64MiB.
func ParseBytes(text string) (int64, error) {
	number, factor := text, int64(1)
	for _, unit := range units {
		if before, is := strings.CutSuffix(text, unit.name); is {
			number, factor = before, unit.bytes
		}
	}
	value, err := strconv.ParseInt(number, 10, 64)
	if err != nil || value < 0 || value > math.MaxInt64/factor {
		return 0, fmt.Errorf("must be a number of bytes, or one with KiB, MiB, GiB or TiB, such as 64MiB")
	}
	return value * factor, nil
}

// FormatBytes writes a size as ParseBytes reads it, and as short as it can be.
func FormatBytes(size int64) string {
	for _, unit := range units {
		if size >= unit.bytes && size%unit.bytes == 0 {
			return strconv.FormatInt(size/unit.bytes, 10) + unit.name
		}
	}
	return strconv.FormatInt(size, 10)
}

// BytesText writes a size for people: with a unit, whatever it is.
func BytesText(size int64) string {
	text := FormatBytes(size)
	if text[len(text)-1] == 'B' {
		return text
	}
	if size == 1 {
		return text + " byte"
	}
	return text + " bytes"
}
