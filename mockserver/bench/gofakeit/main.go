// Command gofakeit writes rows that look like those of the export files with gofakeit and encoding/csv or encoding/json, the way
// a careful Go program would, and tells how many it writes in a second. It is a module of its own, so that nobody needs gofakeit
// who does not measure.
//
// Its arguments are the time to measure each file for, and then one file each: the kind and the columns of CSV files, such as
// "userbase=install_id;custom_id", or the kind alone. For each it prints the kind, the rows per second and the bytes per row.
package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/brianvoe/gofakeit/v7"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gofakeit:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 0 {
		return fmt.Errorf("usage: gofakeit DURATION KIND[=COLUMNS]...")
	}
	duration, err := time.ParseDuration(arguments[0])
	if err != nil {
		return err
	}
	for _, argument := range arguments[1:] {
		kind, columns, _ := strings.Cut(argument, "=")
		var counted counter
		out := bufio.NewWriterSize(&counted, 64<<10)
		faker := gofakeit.New(1)
		write := csvRows(out, faker, strings.Split(columns, ";"))
		if columns == "" {
			write, err = jsonRows(out, faker, kind)
		}
		if err != nil {
			return err
		}
		rows, began, used := 0, time.Now(), processorUsed()
		for ; rows%256 != 0 || time.Since(began) < duration; rows++ {
			if err := write(); err != nil {
				return err
			}
		}
		took := processorUsed() - used
		if err := out.Flush(); err != nil {
			return err
		}
		fmt.Println(kind, float64(rows)/took.Seconds(), float64(counted)/float64(rows))
	}
	return nil
}

// counter is a writer that only counts.
type counter int64

func (c *counter) Write(text []byte) (int, error) {
	*c += counter(len(text))
	return len(text), nil
}

// csvRows writes rows of columns, whose names say what is in them.
func csvRows(out io.Writer, faker *gofakeit.Faker, columns []string) func() error {
	writer := csv.NewWriter(out)
	writer.Comma = ';'
	cells := make([]string, len(columns))
	values := make([]func() string, len(columns))
	for i, name := range columns {
		switch {
		case name == "custom_id":
			values[i] = faker.Username
		case strings.HasSuffix(name, "_id"):
			values[i] = faker.UUID
		case strings.HasSuffix(name, "_date"):
			values[i] = func() string { return faker.Date().Format("2006-01-02T15:04:05") }
		case strings.HasPrefix(name, "is_"), strings.HasPrefix(name, "has_"):
			values[i] = func() string {
				if faker.Bool() {
					return "true"
				}
				return "false"
			}
		default:
			choices := []string{"active", "push_sent", "occasional", "push_opened"}
			values[i] = func() string { return faker.RandomString(choices) }
		}
	}
	return func() error {
		for i := range cells {
			cells[i] = values[i]()
		}
		return writer.Write(cells)
	}
}

// jsonRows writes values of the types in rows.go.
func jsonRows(out io.Writer, faker *gofakeit.Faker, kind string) (func() error, error) {
	encoder := json.NewEncoder(out)
	switch kind {
	case "profiles.attributes":
		return func() error { return encoder.Encode(newAttributes(faker)) }, nil
	case "profiles.events":
		return func() error { return encoder.Encode(newEvent(faker)) }, nil
	case "profiles.reachability":
		return func() error { return encoder.Encode(newChange(faker)) }, nil
	}
	return nil, fmt.Errorf("no rows of kind %q are known", kind)
}
