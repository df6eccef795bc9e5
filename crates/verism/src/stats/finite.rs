//! A guard at the border: no NaN and no infinity leaves in an output.

use std::fmt::{self, Display};

use serde::Serialize;
use serde::ser::{self, Impossible, Serializer};

/// Tells whether every number in a value that can be written is finite.
pub fn is_finite<T: Serialize + ?Sized>(value: &T) -> bool {
    value.serialize(Guard).is_ok()
}

/// Visits a value as a serializer would, writing nothing.
struct Guard;

#[derive(Debug)]
struct NotFinite;

impl Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number beyond binary64")
    }
}

impl std::error::Error for NotFinite {}

impl ser::Error for NotFinite {
    fn custom<T: Display>(_: T) -> NotFinite {
        NotFinite
    }
}

/// Declares methods that accept their argument without looking at it.
macro_rules! accept {
    ($($method:ident($kind:ty))*) => { $(fn $method(self, _: $kind) -> Result<(), NotFinite> { Ok(()) })* };
}

impl Serializer for Guard {
    type Ok = ();
    type Error = NotFinite;
    type SerializeSeq = Guard;
    type SerializeTuple = Guard;
    type SerializeTupleStruct = Impossible<(), NotFinite>;
    type SerializeTupleVariant = Impossible<(), NotFinite>;
    type SerializeMap = Guard;
    type SerializeStruct = Guard;
    type SerializeStructVariant = Impossible<(), NotFinite>;

    accept! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_u8(u8)
        serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_char(char) serialize_str(&str)
        serialize_bytes(&[u8]) serialize_unit_struct(&'static str)
    }

    fn serialize_f32(self, v: f32) -> Result<(), NotFinite> {
        self.serialize_f64(v.into())
    }

    fn serialize_f64(self, v: f64) -> Result<(), NotFinite> {
        if v.is_finite() { Ok(()) } else { Err(NotFinite) }
    }

    fn serialize_none(self) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Guard, NotFinite> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Guard, NotFinite> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, NotFinite> {
        Err(NotFinite)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, NotFinite> {
        Err(NotFinite)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Guard, NotFinite> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Guard, NotFinite> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, NotFinite> {
        Err(NotFinite)
    }
}

impl ser::SerializeSeq for Guard {
    type Ok = ();
    type Error = NotFinite;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
        value.serialize(Guard)
    }
    fn end(self) -> Result<(), NotFinite> {
        Ok(())
    }
}

impl ser::SerializeTuple for Guard {
    type Ok = ();
    type Error = NotFinite;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
        value.serialize(Guard)
    }
    fn end(self) -> Result<(), NotFinite> {
        Ok(())
    }
}

impl ser::SerializeMap for Guard {
    type Ok = ();
    type Error = NotFinite;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotFinite> {
        key.serialize(Guard)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
        value.serialize(Guard)
    }
    fn end(self) -> Result<(), NotFinite> {
        Ok(())
    }
}

impl ser::SerializeStruct for Guard {
    type Ok = ();
    type Error = NotFinite;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<(), NotFinite> {
        value.serialize(Guard)
    }
    fn end(self) -> Result<(), NotFinite> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Inner {
        value: Option<f64>,
    }

    #[derive(Serialize)]
    struct Outer {
        #[serde(flatten)]
        inner: Inner,
        list: Vec<f64>,
    }

    #[test]
    fn non_finite_numbers_are_found_at_any_depth() {
        let outer = |value, last| Outer { inner: Inner { value }, list: vec![1.0, last] };
        assert!(is_finite(&outer(None, 2.0)) && is_finite(&outer(Some(0.0), -1e308)));
        assert!(!is_finite(&outer(Some(f64::NAN), 2.0)) && !is_finite(&outer(None, f64::INFINITY)));
    }
}
