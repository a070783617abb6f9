//! What can be wrong with a screenshot, a part of one, or a copy.

use crate::code::codes;

codes! {
    INVALID_REFERENCE: "The text is no reference to a screenshot that an answer gave.",
    INVALID_REGION: "The part of a picture has no extent, or bounds that are no numbers.",
    SCREENSHOT_NOT_FOUND: "The reference leads to no screenshot, or no longer to one.",
    SCREENSHOT_MISSING:
        "The picture's file went away meanwhile, or only the thumbnail is left where the full image is needed.",
    SCREENSHOT_LOCKED: "Another program holds the picture's file.",
    SCREENSHOT_INCOMPLETE: "The picture's file is still being written, or damaged.",
    SCREENSHOT_EMPTY: "The picture's file is empty.",
    SCREENSHOT_NOT_AN_IMAGE: "The file holds no JPEG or PNG picture, whatever its name says.",
    SCREENSHOT_TOO_LARGE: "The file or the picture is larger than what is read.",
    SCREENSHOT_UNREADABLE: "The operating system does not let the picture be read.",
    SCREENSHOTS_UNREADABLE: "The folder of screenshots cannot be read.",
    WRITE_NOT_ALLOWED: "No folder is allowed for writing: no root, no `--allow-write`.",
    PATH_NOT_ALLOWED: "The path leads out of the folders that are allowed for writing.",
    INVALID_PATH: "A part of the path cannot be the name of a file on every platform.",
    INVALID_EXTENSION: "The path ends with something else than jpg, jpeg or png.",
    FILE_EXISTS: "The file is there already, and `overwrite` was not set.",
    WRITE_FAILED: "The operating system does not let the file be written.",
}
