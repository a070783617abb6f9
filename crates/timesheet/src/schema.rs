//! JSON schemas of types with handwritten serialisation.

/// Gives the first type the schema of the second.
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
