package exports_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// TestEqualSeesEveryMember: a record that differs from another one in any member, however deep, is not the same. A member that is
// added to one of the structs and left out in Equal fails here.
func TestEqualSeesEveryMember(t *testing.T) {
	if !(&exports.Record{}).Equal(&exports.Record{}) {
		t.Fatal("two empty records differ")
	}
	record := &exports.Record{}
	eachMember(t, record, func(path string, set func()) {
		set()
		if record.Equal(&exports.Record{}) || (&exports.Record{}).Equal(record) {
			t.Errorf("%s is not compared", path)
		}
		copied := *record
		if set(); !record.Equal(&copied) {
			t.Errorf("%s differs from one that is the same", path)
		}
	})
}

// eachMember calls try with every member of an empty record, however deep, and what gives it another value, made anew. It is
// empty again afterwards.
func eachMember(t *testing.T, record *exports.Record, try func(path string, set func())) {
	members := 0
	var visit func(path string, value reflect.Value)
	visit = func(path string, value reflect.Value) {
		if _, instant := value.Interface().(time.Time); value.Kind() == reflect.Struct && !instant {
			for i := range value.NumField() {
				visit(path+"."+value.Type().Field(i).Name, value.Field(i))
			}
			return
		}
		members++
		try(path, func() { value.Set(other(t, path, value.Type())) })
		value.SetZero()
	}
	visit("Record", reflect.ValueOf(record).Elem())
	if members < 60 {
		t.Errorf("only %d members were changed", members)
	}
}

// other is a value that is not the zero value, made anew.
func other(t *testing.T, path string, of reflect.Type) reflect.Value {
	made := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Pointer:
		made.Set(reflect.New(of.Elem()))
	case reflect.Slice:
		made.Set(reflect.MakeSlice(of, 1, 1))
	case reflect.Map:
		made.Set(reflect.MakeMap(of))
		made.SetMapIndex(reflect.Zero(of.Key()), other(t, path, of.Elem()))
	case reflect.String:
		made.SetString("other")
	case reflect.Bool:
		made.SetBool(true)
	case reflect.Int, reflect.Int64:
		made.SetInt(7)
	case reflect.Uint8, reflect.Uint64:
		made.SetUint(7)
	case reflect.Float64:
		made.SetFloat(0.5)
	case reflect.Struct:
		if _, instant := made.Interface().(time.Time); instant {
			made.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)))
			break
		}
		made.Field(0).Set(other(t, path, of.Field(0).Type))
	default:
		t.Fatalf("%s is of a kind that this test does not know: %s", path, of.Kind())
	}
	return made
}
