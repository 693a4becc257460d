package actions_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

func TestArgumentsInAndOut(t *testing.T) {
	list := actions.NewArgumentList()
	list.AddNull()
	list.AddBool(true)
	list.AddInt64(-1)
	list.AddDouble(0.5)
	list.AddString("x")
	list.AddList(nil)
	list.AddArguments(nil)
	list.AddValue(actions.StringValue("v"))
	list.AddAction("say", nil)

	a := actions.NewArguments()
	a.SetNull("null")
	a.SetBool("bool", true)
	a.SetInt64("int", math.MaxInt64)
	a.SetDouble("double", 2.5)
	a.SetString("string", "grüße \U0001F600 \x00")
	a.SetList("list", list)
	a.SetArguments("arguments", actions.NewArguments())
	a.SetValue("value", actions.ListValue(nil))

	const want = `{"arguments":{},"bool":true,"double":2.5,"int":9223372036854775807,` +
		`"list":[null,true,-1,0.5,"x",[],{},"v",["say",{}]],"null":null,"string":"grüße 😀 \u0000","value":[]}`
	if got, err := a.JSON(); err != nil || got != want {
		t.Errorf("JSON gives\n%s, %v, want\n%s", got, err, want)
	}
	back := proof.Get(actions.ArgumentsFromJSON(want))(t)
	if got, _ := back.JSON(); got != want {
		t.Errorf("read and written it is %s", got)
	}
	if got, _ := back.GetList("list").JSON(); got != `[null,true,-1,0.5,"x",[],{},"v",["say",{}]]` {
		t.Errorf("the list is %s", got)
	}
	if back.GetInt64("int", 0) != math.MaxInt64 || back.GetDouble("double", 0) != 2.5 || !back.GetBool("bool", false) ||
		back.GetString("string", "") != "grüße \U0001F600 \x00" || back.GetArguments("arguments").Keys().Count() != 0 {
		t.Error("what was set is not what is read")
	}
	if keys := back.Keys(); keys.Count() != 8 || keys.At(0) != "arguments" || keys.At(7) != "value" || keys.At(8) != "" || keys.At(-1) != "" {
		t.Error("the keys are not there in order")
	}
	proof.Hold(t, back.Remove("int") && !back.Remove("int") && !back.Has("int"), "a key is not removed once")
}

func TestTypes(t *testing.T) {
	a := proof.Get(actions.ArgumentsFromJSON(
		`{"null":null,"bool":false,"int":1,"big":18446744073709551615,"double":1.0,"string":"","list":[],"arguments":{}}`))(t)
	for key, want := range map[string]int32{
		"absent": actions.TypeAbsent, "null": actions.TypeNull, "bool": actions.TypeBool, "int": actions.TypeInt64, "big": actions.TypeUint64,
		"double": actions.TypeDouble, "string": actions.TypeString, "list": actions.TypeList, "arguments": actions.TypeArguments,
	} {
		if got := a.TypeOf(key); got != want {
			t.Errorf("the type of %s is %d, want %d", key, got, want)
		}
		proof.Hold(t, a.Has(key) == (want > actions.TypeNull), "Has(%q) is wrong", key)
	}
	if got := a.GetDouble("big", 0); got != math.MaxUint64 {
		t.Errorf("the double of the largest number is %v", got)
	}
	if json, _ := a.GetValue("big").JSON(); json != "18446744073709551615" {
		t.Errorf("the JSON of the largest number is %s", json)
	}
}

// TestNothingIsConverted: another type than asked for is as good as none.
func TestNothingIsConverted(t *testing.T) {
	a, _ := actions.ArgumentsFromJSON(`{"string":"5","int":5,"double":5.0,"bool":true,"null":null}`)
	if a.GetInt64("string", 7) != 7 || a.GetInt64("double", 7) != 7 || a.GetInt64("null", 7) != 7 || a.GetInt64("absent", 7) != 7 {
		t.Error("something became a whole number")
	}
	if a.GetString("int", "-") != "-" || a.GetBool("int", true) != true || a.GetBool("string", false) {
		t.Error("something became a text or a boolean")
	}
	proof.Hold(t, a.GetDouble("int", 0) == 5 && a.GetDouble("string", 7) == 7, "a whole number is a number, a text is none")
	proof.Hold(t, a.GetList("int") == nil && a.GetArguments("int") == nil, "something became a list or arguments")
}

func TestOrThrow(t *testing.T) {
	a, _ := actions.ArgumentsFromJSON(`{"s":"x","i":5,"d":0.5,"b":true,"l":[1],"o":{"k":1}}`)
	s, err1 := a.GetStringOrThrow("s")
	i, err2 := a.GetInt64OrThrow("i")
	d, err3 := a.GetDoubleOrThrow("i")
	b, err4 := a.GetBoolOrThrow("b")
	l, err5 := a.GetListOrThrow("l")
	o, err6 := a.GetArgumentsOrThrow("o")
	if s != "x" || i != 5 || d != 5 || !b || l.Count() != 1 || o.GetInt64("k", 0) != 1 {
		t.Error("what is there is not given")
	}
	for _, err := range []error{err1, err2, err3, err4, err5, err6} {
		if err != nil {
			t.Error(err)
		}
	}
	_, err1 = a.GetStringOrThrow("name")
	_, err2 = a.GetInt64OrThrow("s")
	_, err3 = a.GetDoubleOrThrow("s")
	_, err4 = a.GetBoolOrThrow("s")
	_, err5 = a.GetListOrThrow("s")
	_, err6 = a.GetArgumentsOrThrow("s")
	for _, err := range []error{err1, err2, err3, err4, err5, err6} {
		proof.Hold(t, err != nil && actions.ErrorCode(err.Error()) == actions.StatusInvalidArguments, "the error is %v", err)
	}
	proof.Hold(t, strings.Contains(err1.Error(), `"name"`), "%q does not name the argument", err1)
}

// TestCopies: what was set, read or performed with does not see later changes, whoever makes them.
func TestCopies(t *testing.T) {
	inner, list := actions.NewArguments(), actions.NewArgumentList()
	inner.SetInt64("n", 1)
	list.AddInt64(1)
	outer := actions.NewArguments()
	outer.SetArguments("inner", inner)
	outer.SetList("list", list)
	outer.SetArguments("self", outer)
	inner.SetInt64("n", 2)
	list.AddInt64(2)
	outer.GetArguments("inner").SetInt64("n", 3)
	outer.GetList("list").AddInt64(3)
	value := actions.ArgumentsValue(outer)
	outer.SetBool("late", true)

	const first = `{"inner":{"n":1},"list":[1],"self":{"inner":{"n":1},"list":[1]}}`
	if json, _ := value.JSON(); json != first {
		t.Errorf("the value is %s", json)
	}
	var seen []string
	registry := actions.NewRegistry(nil)
	_, err := registry.Register("look", act(func(invocation *actions.Invocation) error {
		outer.SetBool("later", true)
		invocation.Arguments().SetBool("mine", true)
		json, err := invocation.Arguments().JSON()
		seen = append(seen, json)
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	registry.Perform("look", outer)
	if want := strings.TrimSuffix(strings.Replace(first, `"list"`, `"late":true,"list"`, 1), ""); len(seen) != 1 || seen[0] != want {
		t.Errorf("the action saw %s, want %s", seen, want)
	}
}

func TestJSONThatIsRefused(t *testing.T) {
	for _, text := range []string{"", "[]", `"x"`, `{"a":1`, `{"a":1}x`, `{"a":1,"a":2}`, "{'a':1}",
		strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200)} {
		if a, err := actions.ArgumentsFromJSON(text); a != nil || err == nil || actions.ErrorCode(err.Error()) != actions.CodeInvalidJSON {
			t.Errorf("%.20q gives %v, %v", text, a, err)
		}
		if _, err := actions.ArgumentsFromBytes([]byte(text)); err == nil {
			t.Errorf("%.20q is read from bytes", text)
		}
	}
	if _, err := actions.ValueFromJSON("nope"); err == nil || actions.ErrorCode(err.Error()) != actions.CodeInvalidJSON {
		t.Errorf("a value that is none gives %v", err)
	}
	a := actions.NewArguments()
	a.SetDouble("d", math.NaN())
	if _, err := a.JSON(); err == nil || actions.ErrorCode(err.Error()) != actions.StatusInvalidArguments {
		t.Errorf("no number gives %v", err)
	}
	if none, err := actions.ArgumentsFromJSON("null"); err != nil || none.Keys().Count() != 0 {
		t.Errorf("null gives %v, %v", none, err)
	}
}

// TestBytesAreCopied: the app may write into its bytes as soon as the call has returned.
func TestBytesAreCopied(t *testing.T) {
	data := []byte(`{"text":"` + strings.Repeat("a", 1<<20) + `"}`)
	a := proof.Get(actions.ArgumentsFromBytes(data))(t)
	copy(data, bytes.Repeat([]byte("b"), len(data)))
	if text := a.GetString("text", ""); text != strings.Repeat("a", 1<<20) {
		t.Error("the text changed with the bytes")
	}
}

// TestManyThreads: a map that is written and read at once would end the app. The race detector sees more than a crash would.
func TestManyThreads(t *testing.T) {
	a, list := actions.NewArguments(), actions.NewArgumentList()
	registry := actions.NewRegistry(nil)
	if _, err := registry.Register("look", act(func(invocation *actions.Invocation) error {
		invocation.Arguments().GetList("list")
		return nil
	})); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for n := range 200 {
				a.SetInt64(fmt.Sprint("key", n), int64(i))
				list.AddInt64(int64(n))
				a.SetList("list", list)
				a.GetList("list").AddBool(true)
				a.Remove("key7")
				a.Keys()
				proof.Hold(t, registry.Perform("look", a).Result().IsPerformed(), "not performed")
			}
		})
	}
	group.Wait()
	proof.Hold(t, list.Count() == 1600, "the list has %d values", list.Count())
}

func TestTextThatIsNone(t *testing.T) {
	a := actions.NewArguments()
	a.SetString("k\xff", "v\xff")
	if json, err := a.JSON(); err != nil || json != `{"k`+"\uFFFD"+`":"v`+"\uFFFD"+`"}` {
		t.Errorf("it is %s, %v", json, err)
	}
	proof.Hold(t, a.GetString("k\xff", "") == "v\uFFFD", "the value is not found")
}

// TestAnEmptyPayloadIsOne: what came with a trigger may have nothing in it.
func TestAnEmptyPayloadIsOne(t *testing.T) {
	if actions.NewSource("push", actions.NewArguments()).Payload() == nil || actions.NewSource("push", nil).Payload() != nil {
		t.Error("an empty payload and none are the same")
	}
}
