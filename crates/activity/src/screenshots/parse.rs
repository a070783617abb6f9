//! Parses the parameters of requests for screenshots.

use dayledger_request::Error;
use dayledger_screenshots::{Reference, Region, Units, codes};

/// Parses the reference in the parameter `field`.
///
/// # Errors
/// Fails with `INVALID_REFERENCE` if the text is not a reference from a response.
pub fn parse_reference(text: &str, field: &str) -> Result<Reference, Error> {
    text.trim().parse().map_err(|_| {
        Error::with_field(
            codes::INVALID_REFERENCE,
            field,
            format!("`{field}` is not a reference from a response"),
            "pass a `screenshotRef` from a response unchanged; `list_screenshots` returns them",
        )
    })
}

/// Parses a part of an image: left edge, top edge, width and height, each with the name of its parameter.
///
/// # Errors
/// Fails with `INVALID_REGION` for a parameter that is not finite, or a width or height that is not above 0.
pub fn parse_region(edges: [f64; 4], fields: [&str; 4], units: Units) -> Result<Region, Error> {
    let [x, y, width, height] = edges;
    Region::new(x, y, width, height, units).map_err(|error| {
        let wrong = edges.iter().enumerate().find(|(at, edge)| !edge.is_finite() || (*at > 1 && **edge <= 0.0));
        let field = wrong.map_or(fields[2], |(at, _)| fields[at]);
        Error::with_field(
            codes::INVALID_REGION,
            field,
            error.to_string(),
            "percent runs from 0 to 100, normalized from 0 to 1, from the top left of the whole image; width and \
             height are above 0",
        )
    })
}
