package api

import (
	"reflect"
	"testing"
)

// TestColumnsHoldEveryFieldOfARow sets each field of a row alone and looks it up in the column of its name.
func TestColumnsHoldEveryFieldOfARow(t *testing.T) {
	fields := reflect.TypeFor[RequestRow]()
	columns := reflect.TypeFor[RowColumns]()
	if fields.NumField() != columns.NumField() {
		t.Fatalf("%d fields, %d columns", fields.NumField(), columns.NumField())
	}
	for i := range fields.NumField() {
		f := fields.Field(i)
		var row RequestRow
		set := reflect.ValueOf(&row).Elem().Field(i)
		set.Set(something(t, f.Type))
		got := reflect.ValueOf(ColumnsOf([]RequestRow{{}, row}))
		for k := range columns.NumField() {
			c := columns.Field(k)
			if same := c.Tag.Get("json") == f.Tag.Get("json"); same == got.Field(k).IsNil() {
				t.Fatalf("%s set, and the column %s is %v", f.Name, c.Name, got.Field(k))
			} else if same {
				if at := reflect.Indirect(got.Field(k).Index(1)); !reflect.DeepEqual(at.Interface(), reflect.Indirect(set).Interface()) {
					t.Errorf("%s: %v in its column, %v in the row", f.Name, at, set)
				}
			}
		}
	}
}

func something(t *testing.T, of reflect.Type) reflect.Value {
	t.Helper()
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("x")
	case reflect.Slice:
		v.Set(reflect.Append(v, something(t, of.Elem())))
	case reflect.Struct:
		v.Field(0).Set(something(t, of.Field(0).Type))
	case reflect.Pointer:
		v.Set(reflect.New(of.Elem()))
	default:
		t.Fatalf("a row holds %s: say here how it is filled", of)
	}
	return v
}
