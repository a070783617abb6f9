//! `manictime://data-range`.

use rmcp::model::Role;

use super::resource::{Follows, Material, SharedResource};
use crate::{activity::DataRangeRequest, mcp::tool::Respondent, question::Error};

/// Which dates hold data.
pub(super) struct DataRange;

impl SharedResource for DataRange {
    const URI: &'static str = "manictime://data-range";
    const NAME: &'static str = "data-range";
    const TITLE: &'static str = "Dates with data";
    const DESCRIPTION: &'static str =
        "First and last local time with data, of all and of each timeline. Read it before asking for old dates.";
    const AUDIENCE: &'static [Role] = &[Role::Assistant];
    const PRIORITY: f32 = 0.75;
    const FOLLOWS: Follows = Follows::Dates;

    async fn read<R: Respondent>(material: &Material<'_, R>) -> Result<String, Error> {
        material.answer(DataRangeRequest).await
    }
}
