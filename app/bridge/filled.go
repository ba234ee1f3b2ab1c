package bridge

import (
	"encoding/json"
	"reflect"
)

var rawType = reflect.TypeFor[json.RawMessage]()

// filled is value with every nil slice and map replaced by an empty one, so that the front end never meets null where
// its types say list. What value points to is shared with the service and may be read by others: it is copied where it
// has to change, never written.
func filled(value reflect.Value) reflect.Value {
	if !holdsLists(value.Type()) {
		return value
	}
	switch value.Kind() {
	case reflect.Slice:
		return filledSlice(value)
	case reflect.Map:
		return filledMap(value)
	case reflect.Struct:
		return filledStruct(value)
	case reflect.Pointer:
		if value.IsNil() {
			return value
		}
		fresh := reflect.New(value.Type().Elem())
		fresh.Elem().Set(filled(value.Elem()))
		return fresh
	}
	return value
}

func filledSlice(value reflect.Value) reflect.Value {
	if value.IsNil() {
		return reflect.MakeSlice(value.Type(), 0, 0)
	}
	if !holdsLists(value.Type().Elem()) {
		return value
	}
	fresh := reflect.MakeSlice(value.Type(), value.Len(), value.Len())
	for i := range value.Len() {
		fresh.Index(i).Set(filled(value.Index(i)))
	}
	return fresh
}

func filledMap(value reflect.Value) reflect.Value {
	if value.IsNil() {
		return reflect.MakeMap(value.Type())
	}
	if !holdsLists(value.Type().Elem()) {
		return value
	}
	fresh := reflect.MakeMapWithSize(value.Type(), value.Len())
	for it := value.MapRange(); it.Next(); {
		fresh.SetMapIndex(it.Key(), filled(it.Value()))
	}
	return fresh
}

func filledStruct(value reflect.Value) reflect.Value {
	fresh := reflect.New(value.Type()).Elem()
	fresh.Set(value)
	for i := range value.NumField() {
		if field := fresh.Field(i); field.CanSet() && holdsLists(field.Type()) {
			field.Set(filled(field))
		}
	}
	return fresh
}

// holdsLists tells whether a value of this type can reach a slice or map. The types of the contract are not recursive.
func holdsLists(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		return t != rawType
	case reflect.Pointer:
		return holdsLists(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsLists(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
