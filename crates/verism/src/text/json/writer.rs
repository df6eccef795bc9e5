//! A serializer that writes JSON straight into a buffer: the bytes of `serde_json`, without its errors and its walk over
//! every byte of a text.

use serde::Serialize;
use serde::ser::{self, Serializer};
use serde_json::Error;

use super::{push_name, push_number, push_text, push_whole};

/// The name by which `serde_json` hands on JSON text that is to be written as it is.
const RAW: &str = "$serde_json::private::RawValue";

/// Writes one value into a buffer.
pub(super) struct Writer<'o> {
    out: &'o mut Vec<u8>,
    /// Whether a text is JSON already.
    raw: bool,
}

/// A list or an object under construction.
pub(super) struct Parts<'o> {
    out: &'o mut Vec<u8>,
    /// What ends it; nothing where JSON text is handed on as it is.
    end: &'static [u8],
    first: bool,
}

impl<'o> Writer<'o> {
    pub(super) fn new(out: &'o mut Vec<u8>) -> Writer<'o> {
        Writer { out, raw: false }
    }

    fn open(self, start: &'static [u8], end: &'static [u8]) -> Parts<'o> {
        self.out.extend_from_slice(start);
        Parts { out: self.out, end, first: true }
    }

    /// Opens `{"variant":` and what its fields stand in.
    fn open_variant(self, variant: &str, start: &'static [u8], end: &'static [u8]) -> Parts<'o> {
        self.out.push(b'{');
        push_name(self.out, variant);
        self.open(start, end)
    }

    fn word(self, word: &[u8]) -> Result<(), Error> {
        self.out.extend_from_slice(word);
        Ok(())
    }

    /// Numbers that are rare take the long way.
    fn other(self, value: &impl Serialize) -> Result<(), Error> {
        serde_json::to_writer(self.out, value)
    }
}

impl Parts<'_> {
    fn comma(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.comma();
        value.serialize(Writer::new(self.out))
    }

    #[inline(always)]
    fn entry<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        if self.end.is_empty() {
            return value.serialize(Writer { out: self.out, raw: true });
        }
        self.comma();
        push_name(self.out, key);
        value.serialize(Writer::new(self.out))
    }

    fn close(self) -> Result<(), Error> {
        self.out.extend_from_slice(self.end);
        Ok(())
    }
}

impl<'o> Serializer for Writer<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'o>;
    type SerializeTuple = Parts<'o>;
    type SerializeTupleStruct = Parts<'o>;
    type SerializeTupleVariant = Parts<'o>;
    type SerializeMap = Parts<'o>;
    type SerializeStruct = Parts<'o>;
    type SerializeStructVariant = Parts<'o>;

    fn serialize_bool(self, x: bool) -> Result<(), Error> {
        self.word(if x { b"true" } else { b"false" })
    }

    fn serialize_i8(self, x: i8) -> Result<(), Error> {
        self.serialize_i64(x.into())
    }

    fn serialize_i16(self, x: i16) -> Result<(), Error> {
        self.serialize_i64(x.into())
    }

    fn serialize_i32(self, x: i32) -> Result<(), Error> {
        self.serialize_i64(x.into())
    }

    fn serialize_i64(self, x: i64) -> Result<(), Error> {
        if x < 0 {
            self.out.push(b'-');
        }
        push_whole(self.out, x.unsigned_abs());
        Ok(())
    }

    fn serialize_i128(self, x: i128) -> Result<(), Error> {
        match i64::try_from(x) {
            Ok(x) => self.serialize_i64(x),
            Err(_) => self.other(&x),
        }
    }

    fn serialize_u8(self, x: u8) -> Result<(), Error> {
        self.serialize_u64(x.into())
    }

    fn serialize_u16(self, x: u16) -> Result<(), Error> {
        self.serialize_u64(x.into())
    }

    fn serialize_u32(self, x: u32) -> Result<(), Error> {
        self.serialize_u64(x.into())
    }

    fn serialize_u64(self, x: u64) -> Result<(), Error> {
        push_whole(self.out, x);
        Ok(())
    }

    fn serialize_u128(self, x: u128) -> Result<(), Error> {
        self.other(&x)
    }

    fn serialize_f32(self, x: f32) -> Result<(), Error> {
        self.other(&x)
    }

    fn serialize_f64(self, x: f64) -> Result<(), Error> {
        push_number(self.out, x);
        Ok(())
    }

    fn serialize_char(self, x: char) -> Result<(), Error> {
        self.serialize_str(x.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, x: &str) -> Result<(), Error> {
        match self.raw {
            true => self.out.extend_from_slice(x.as_bytes()),
            false => push_text(self.out, x),
        }
        Ok(())
    }

    fn serialize_bytes(self, x: &[u8]) -> Result<(), Error> {
        self.collect_seq(x)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.word(b"null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.word(b"null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.word(b"null")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut parts = self.open(b"{", b"}");
        parts.entry(variant, value)?;
        parts.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'o>, Error> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'o>, Error> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'o>, Error> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'o>, Error> {
        Ok(self.open_variant(variant, b"[", b"]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'o>, Error> {
        Ok(self.open(b"{", b"}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'o>, Error> {
        Ok(if name == RAW { self.open(b"", b"") } else { self.open(b"{", b"}") })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'o>, Error> {
        Ok(self.open_variant(variant, b"{", b"}}"))
    }
}

impl ser::SerializeSeq for Parts<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeTuple for Parts<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeTupleStruct for Parts<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeTupleVariant for Parts<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Error;

    /// A key that is not text, such as a number, is put in quotes.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.comma();
        let start = self.out.len();
        key.serialize(Writer::new(self.out))?;
        if self.out.get(start) != Some(&b'"') {
            self.out.insert(start, b'"');
            self.out.push(b'"');
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.out.push(b':');
        value.serialize(Writer::new(self.out))
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeStruct for Parts<'_> {
    type Ok = ();
    type Error = Error;

    // The names of fields are known where this is called: there they are checked while the program is compiled.
    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.entry(key, value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl ser::SerializeStructVariant for Parts<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.entry(key, value)
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde_json::value::RawValue;

    use super::*;

    #[derive(Debug, Serialize)]
    enum Kind {
        Unit,
        New(u8),
        Pair(i16, bool),
        Fields { a: Option<char>, b: () },
    }

    #[derive(Debug, Serialize)]
    struct All<'a> {
        text: &'a str,
        #[serde(rename = "with \"quotes\"")]
        list: Vec<f64>,
        #[serde(rename = "a name of as many as 32 letters!")]
        longest: u8,
        #[serde(rename = "a name of one more than 32 letter")]
        longer: u8,
        #[serde(rename = "a\\b\u{1}\nc")]
        escaped: u8,
        whole: (u64, i64, i128, f32),
        kinds: [Kind; 4],
        by_number: BTreeMap<i32, &'a str>,
        by_text: BTreeMap<&'a str, Vec<u8>>,
        raw: Option<Box<RawValue>>,
    }

    proptest! {
        /// serde_json is the independent program.
        #[test]
        fn the_bytes_are_those_of_serde_json(
            text in "\\PC{0,20}|[\"\\\\\u{0}-\u{1f}\u{7f}é😀]{0,20}",
            list in prop::collection::vec(prop_oneof![any::<f64>(), (-3..3_i32).prop_map(f64::from)], 0..4),
            unsigned in any::<u64>(),
            signed in any::<i64>(),
            single in any::<f32>(),
            c in any::<Option<char>>(),
        ) {
            let value = All {
                text: &text,
                list,
                longest: 32,
                longer: 33,
                escaped: 0,
                whole: (unsigned, signed, i128::from(signed) * 7, single),
                kinds: [Kind::Unit, Kind::New(7), Kind::Pair(-3, true), Kind::Fields { a: c, b: () }],
                by_number: BTreeMap::from([(-1, text.as_str()), (12, "x")]),
                by_text: BTreeMap::from([(text.as_str(), vec![1, 255])]),
                raw: RawValue::from_string("{ \"a\": [1, \"\\u00e9\"] }".into()).ok(),
            };
            let mut out = vec![];
            value.serialize(Writer::new(&mut out)).expect("a value that has a JSON form");
            prop_assert_eq!(String::from_utf8(out).expect("UTF-8"), serde_json::to_string(&value).expect("JSON"));
        }
    }
}
