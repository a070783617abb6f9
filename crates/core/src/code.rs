//! Error codes, which are part of the MCP API (docs/spec/time.md#errors). Each module declares the codes of its errors.
//! Each code has a sentence that describes when the code occurs.

use std::fmt;

use serde_with::SerializeDisplay;

/// The code of a kind of failure: its name, such as `INVALID_DATE`, and a sentence that describes when the failure
/// occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SerializeDisplay)]
pub struct Code {
    name: &'static str,
    when: &'static str,
}

impl Code {
    /// Creates a code. The sentence `when` describes when the code occurs.
    pub const fn new(name: &'static str, when: &'static str) -> Self {
        Self { name, when }
    }

    /// Returns the name of the code, which clients receive.
    pub const fn as_str(self) -> &'static str {
        self.name
    }

    /// Returns the sentence that describes when the code occurs. The page `docs/contract.md` contains this sentence.
    pub const fn when(self) -> &'static str {
        self.when
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, name: &&str) -> bool {
        self.name == *name
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// A request exceeded its time limit.
pub const TIMED_OUT: Code = Code::new(
    "TIMED_OUT",
    "The response wasn't ready within 60 seconds (a statement of `query`: 20 seconds, `process_meeting`: 10 minutes), \
     or when the input ended.",
);

/// A request failed because of a defect in dayledger. Other requests are not affected.
pub const INTERNAL: Code = Code::new("INTERNAL", "A defect in dayledger. The server keeps running.");

/// A command of the terminal failed. Tools never return this code.
pub const COMMAND_FAILED: Code = Code::new("COMMAND_FAILED", "A command failed. No tool returns this code.");

/// Declares the codes of a module as constants, and the constant `ALL` with a list of these codes. The list has the
/// same order as the page `docs/contract.md`.
#[macro_export]
#[doc(hidden)]
macro_rules! __codes {
    ($($name:ident: $when:literal,)+) => {
        $(
            #[doc = $when]
            pub const $name: $crate::code::Code = $crate::code::Code::new(stringify!($name), $when);
        )+

        /// All codes of the module.
        pub const ALL: &[$crate::code::Code] = &[$($name),+];
    };
}
#[doc(inline)]
pub use __codes as codes;
