//! Compiles file name patterns, such as `*.ics`, within limits.

use globset::{GlobBuilder, GlobMatcher};
use regex::bytes::Regex;

/// The maximum length of a pattern in bytes. This also limits how deep braces can be nested, because `globset` parses
/// nested braces recursively.
const MAX_BYTES: usize = 2048;

/// Compiles the pattern `text` with `options`.
///
/// The function first compiles the regular expression of the pattern. This finds expressions that are too large or too
/// deeply nested, for which `compile_matcher` would panic.
///
/// # Errors
/// Fails with the reason if the pattern is invalid. The reason doesn't contain the pattern, which may be
/// private.
pub fn compile(
    text: &str,
    options: impl for<'b, 'g> FnOnce(&'b mut GlobBuilder<'g>) -> &'b mut GlobBuilder<'g>,
) -> Result<GlobMatcher, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("it is longer than {MAX_BYTES} bytes"));
    }
    let glob = options(&mut GlobBuilder::new(text)).build().map_err(|error| error.kind().to_string())?;
    Regex::new(glob.regex()).map_err(|_| "it is nested too deep, or too large")?;
    Ok(glob.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_that_is_nested_too_deep_or_too_long_is_refused() {
        let nested = |levels: usize| format!("{}b{}", "{a,".repeat(levels), "}".repeat(levels));
        assert!(compile(&nested(20), |glob| glob).unwrap().is_match("b"));
        for pattern in [nested(400), nested(5000), "?".repeat(MAX_BYTES + 1)] {
            let refused = compile(&pattern, |glob| glob).unwrap_err();
            assert!(refused.len() < 60, "{refused}");
        }
    }

    #[test]
    fn largest_patterns_compile() {
        for part in ["?", "[a-zA-Z0-9]", "{a,b}", "**/", "é", "[!é]", "*", "{", "{a,"] {
            let closing = if part.starts_with('{') && !part.ends_with('}') { "}" } else { "" };
            let times = MAX_BYTES / (part.len() + closing.len());
            let pattern = part.repeat(times) + &closing.repeat(times);
            for case_insensitive in [false, true] {
                // An error is allowed here. The test fails only if `compile` panics.
                let _ = compile(&pattern, |glob| glob.case_insensitive(case_insensitive));
            }
        }
    }
}
