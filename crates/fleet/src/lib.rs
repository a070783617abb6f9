//! Queries the exports of many people together, with the same SQL as for the history of one person.
//!
//! Each person exports their own history (`dayledger export --person NAME`) into a common folder. In addition to the
//! usual columns, every table, view and table function has a column `person`. The engine for a single export computes
//! the rows of each person. So a result about one person equals the result that the person gets from their own history.
//! Only the remaining operations of the statement, such as totals, run over the rows of all people.
//!
//! To understand queries on one machine, start in [`team`]. The module `rows` splits a query into tasks for workers.
//! The module [`worker`] is the server that runs these tasks.
//!
//! | module | purpose |
//! |---|---|
//! | [`cli`] | the commands of `dayledger-fleet` |
//! | [`status`] | lists the exports and their problems |
//! | `exports` | finds the exports in a folder, and why an export can't be used |
//! | `coverage` | decides which people and days are counted in hours |
//! | [`hours`] | computes the hours of a team, and hides small groups |
//! | [`team_service`] | the MCP server for a team |
//! | [`audit_log`] | records each request for hours |
//! | [`team`] | the exports of a folder, and the engine over all of them |
//! | `members` | decides whose rows a statement needs |
//! | `table` | the tables over all people for DataFusion, and a check for plans that workers can't run correctly |
//! | `rows` | the plan node that reads each person's rows, and its split into tasks for workers |
//! | [`worker`] | the server of a worker machine, which forwards each request to the process of its statement |
//! | `task_processes` | starts the processes for statements, limits their memory and ends them |
//! | [`task_worker`] | runs in the process of a statement on a worker machine |
//! | [`workers`] | connects to workers, and detects workers that no longer respond |
//! | [`statements`] | runs statements in separate processes |
//! | `codec` | encodes dayledger's own plan nodes as bytes |
//! | `channels` | connections to workers |
//! | [`credentials`] | the certificate and key of this machine |
//! | [`certificates`] | the fleet's own certificate authority (CA) |
//! | [`storage`] | copies exports to and from object storage |

pub mod audit_log;
pub mod certificates;
mod channels;
pub mod cli;
mod codec;
pub mod coverage;
pub mod credentials;
mod exports;
pub mod hours;
mod members;
mod rows;
pub mod statements;
pub mod status;
pub mod storage;
mod table;
mod task_processes;
pub mod task_worker;
pub mod team;
pub mod team_service;
pub mod worker;
pub mod workers;
