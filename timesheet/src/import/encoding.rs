//! The encoding of a file that another program wrote.

use std::borrow::Cow;

use encoding_rs::{Encoding, WINDOWS_1252};

use super::unread::refusal;
use crate::refusal::Refusal;

/// The text of a file, and a note if its encoding was guessed.
pub(super) fn text(file: &[u8]) -> Result<(Cow<'_, str>, Option<String>), Refusal> {
    if let Some((encoding, mark)) = Encoding::for_bom(file) {
        return match encoding.decode_without_bom_handling_and_without_replacement(&file[mark..]) {
            Some(text) => Ok((text, None)),
            None => Err(refusal(format_args!("its text is not valid {}", encoding.name()))),
        };
    }
    if file.contains(&0) {
        return Err(refusal("it is not a text file; in a spreadsheet, save it as CSV"));
    }
    if let Ok(text) = str::from_utf8(file) {
        return Ok((text.into(), None));
    }
    // The encoding of CSV that Excel writes in most of Europe and America.
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(file);
    Ok((text, Some("the file is not UTF-8; it was read as Windows-1252".to_owned())))
}
