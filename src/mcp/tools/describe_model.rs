//! `describe_model`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    activity::DescribeModelRequest,
    mcp::{tool::DataTool, toolset::Toolset},
    request::Error,
};

/// Describes the tables and functions of SQL.
#[derive(Debug)]
pub struct DescribeModel;

/// The table or function to describe.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Parameters {
    /// Table or function. Default: an overview of all.
    name: Option<String>,
}

impl DataTool for DescribeModel {
    const NAME: &'static str = "describe_model";
    const TITLE: &'static str = "SQL model";
    const DESCRIPTION: &'static str = "Describes the tables, columns and functions of SQL; with name, one of them in \
                                       detail. Use it before the first call of query.";
    const TOOLSET: Toolset = Toolset::Sql;
    type Parameters = Parameters;
    type Request = DescribeModelRequest;

    fn request(parameters: Parameters) -> Result<DescribeModelRequest, Error> {
        Ok(DescribeModelRequest { name: parameters.name })
    }
}
