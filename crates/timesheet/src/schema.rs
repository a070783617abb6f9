//! JSON schemas of types with handwritten serialisation.

/// Uses the JSON schema of the second type for the first type.
macro_rules! described_as {
    ($type:ty, $like:ty) => {
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$like>::json_schema(generator)
            }
        }
    };
}
pub(crate) use described_as;
