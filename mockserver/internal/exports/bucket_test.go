package exports_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func TestBucket(t *testing.T) {
	const every = 12 * time.Minute
	type take struct {
		at    time.Duration
		ok    bool
		retry time.Duration
	}
	takes := func(n int, at time.Duration) (list []take) {
		for range n {
			list = append(list, take{at, true, 0})
		}
		return list
	}
	join := func(parts ...[]take) (list []take) {
		for _, part := range parts {
			list = append(list, part...)
		}
		return list
	}
	cases := []struct {
		name  string
		burst int
		takes []take
	}{
		{"a burst, then one in every interval", 10, join(takes(10, 0), []take{
			{0, false, every}, {every - 1, false, 1}, {every, true, 0}, {every, false, every}, {2 * every, true, 0}})},
		{"full again after the whole burst's time", 2, join(takes(2, 0), takes(2, 2*every), []take{{2 * every, false, every}})},
		{"never more than the burst", 2, join(takes(2, 0), takes(2, 999*every), []take{{999 * every, false, every}})},
		{"half an interval gives half a token", 1, []take{{0, true, 0}, {every / 2, false, every / 2}, {every, true, 0}}},
		{"a burst below one is one", -3, []take{{0, true, 0}, {0, false, every}}},
		{"the clock goes back: full", 3, join(takes(3, 0), takes(3, -1000*every), []take{
			{-1000 * every, false, every}, {-999 * every, true, 0}, {-999 * every, false, every}})},
		{"the clock goes back by less than the bucket fills in: full", 3, join(takes(1, 0), takes(3, -every/2), []take{
			{-every / 2, false, every}, {every / 2, true, 0}, {every / 2, false, every}})},
		{"the clock goes back and forth", 3, join(takes(3, 0), takes(1, -50*every), takes(3, 0), []take{{0, false, every}})},
		{"a request that overlaps is no clock that goes back", 2, join(takes(2, time.Second), []take{
			{0, false, every + time.Second}, {-59 * time.Second, false, every + time.Minute}, {time.Second, false, every}, {every + time.Second, true, 0}})},
		{"one that overlaps and takes the last token", 2, join(takes(1, time.Second), takes(1, 0), []take{
			{-59 * time.Second, false, every + time.Minute}, {-every, true, 0}})},
		{"a refused request takes nothing", 1, []take{{0, true, 0}, {1, false, every - 1}, {1, false, every - 1}, {every, true, 0}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var bucket exports.Bucket
			for i, want := range c.takes {
				before := bucket
				ok, retry := bucket.Take(noon.Add(want.at), c.burst, every)
				if ok != want.ok || retry != want.retry {
					t.Fatalf("take %d at %v = %t, %v; want %t, %v", i, want.at, ok, retry, want.ok, want.retry)
				}
				must.Hold(t, ok || bucket == before, "take %d: a refused request changed the bucket", i)
				encoded := must.Get(json.Marshal(bucket))(t)
				var decoded exports.Bucket
				if err := json.Unmarshal(encoded, &decoded); err != nil || decoded != bucket {
					t.Fatalf("%s decodes to %v, %v", encoded, decoded, err)
				}
			}
		})
	}
}

func TestBucketExtremes(t *testing.T) {
	var unlimited exports.Bucket
	if ok, _ := unlimited.Take(noon, 1, 0); !ok || unlimited != (exports.Bucket{}) {
		t.Error("an interval of zero limits")
	}
	var huge exports.Bucket
	for range 3 {
		if ok, _ := huge.Take(noon, math.MaxInt, 365*24*time.Hour); !ok {
			t.Error("an endless burst limits")
		}
	}
	for name, far := range map[string]exports.Bucket{
		"without the instant of the last token": {FullAt: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)},
		"kept by a clock ten minutes ahead":     {FullAt: noon.Add(20 * time.Minute)},
		"whose last token is in the future":     {FullAt: noon.Add(10 * time.Minute), TakenAt: noon.Add(2 * time.Minute)},
	} {
		for i := range 10 {
			if ok, retry := far.Take(noon, 10, time.Minute); !ok {
				t.Errorf("take %d from a bucket %s waits %v", i, name, retry)
			}
		}
		if ok, retry := far.Take(noon, 10, time.Minute); ok || retry != time.Minute {
			t.Errorf("take 11 from a bucket %s = %t, %v", name, ok, retry)
		}
	}
	less := exports.Bucket{}
	for range 10 {
		less.Take(noon, 10, time.Minute)
	}
	if ok, retry := less.Take(noon, 2, time.Minute); ok || retry != time.Minute {
		t.Errorf("with a smaller burst = %t, %v", ok, retry)
	}
	if ok, _ := less.Take(noon.Add(time.Minute), 2, time.Minute); !ok {
		t.Error("with a smaller burst, the first interval gives no token")
	}
}
