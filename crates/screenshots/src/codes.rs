//! The error codes of screenshots, cropped images and saved copies.

use dayledger_core::code::codes;

codes! {
    INVALID_REFERENCE: "The text isn't a screenshot reference from a response.",
    INVALID_REGION: "The part of the screenshot is empty, or one of its bounds isn't a number.",
    SCREENSHOT_NOT_FOUND: "The screenshot of the reference doesn't exist, or no longer exists.",
    SCREENSHOT_MISSING:
        "The file was deleted, or the full image is needed but only the thumbnail is left.",
    SCREENSHOT_LOCKED: "Another program is using the file of the screenshot.",
    SCREENSHOT_INCOMPLETE: "The file of the screenshot is still being written, or it is damaged.",
    SCREENSHOT_EMPTY: "The file of the screenshot is empty.",
    SCREENSHOT_NOT_AN_IMAGE: "The file isn't a JPEG or PNG image, regardless of its name.",
    SCREENSHOT_TOO_LARGE: "The file or the image is larger than the limit.",
    SCREENSHOT_UNREADABLE: "The operating system doesn't allow reading the screenshot.",
    SCREENSHOTS_UNREADABLE: "The folder of screenshots can't be read.",
    WRITE_NOT_ALLOWED: "No folder is allowed for writing: the client has no root, and `--allow-write` isn't set.",
    PATH_NOT_ALLOWED: "The path is outside the folders that are allowed for writing.",
    INVALID_PATH: "A part of the path isn't a valid file name on every platform.",
    INVALID_EXTENSION: "The path doesn't end with jpg, jpeg or png.",
    FILE_EXISTS: "The file exists, and `overwrite` isn't set.",
    WRITE_FAILED: "The operating system doesn't allow writing the file.",
}
