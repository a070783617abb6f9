//! Queries the exports of many people together, with the same SQL as the history of one person.
//!
//! Each person exports their own history (`dayledger export --person NAME`) into a common folder. Every table, view and
//! table function has one more column here, `person`. The engine that opens a single export computes each person's
//! rows, from the same files in `sql/`. So a result about one person equals the result that this person gets. Only the
//! rest of the statement is computed over all people's rows.
//!
//! Start reading in [`team`] for queries on one machine, in `rows` for their split into tasks for workers, and in [`worker`]
//! for the server that runs a task.
//!
//! | module | purpose |
//! |---|---|
//! | [`cli`] | the commands of `dayledger-fleet` |
//! | [`status`] | lists the exports and their problems |
//! | `exports` | finds the exports in a folder, and why one can't be used |
//! | `coverage` | decides which people and days are counted in hours |
//! | [`hours`] | computes the hours of a team, and hides small groups |
//! | [`team_service`] | the MCP server for a team |
//! | [`audit_log`] | records each request for hours |
//! | [`team`] | the exports of a folder, and the engine over all of them |
//! | `members` | decides whose rows a statement needs |
//! | `table` | a table over all people for DataFusion, and the plans whose result on workers would differ |
//! | `rows` | the plan node that reads each person's rows, and its split into tasks for workers |
//! | [`worker`] | the server of a worker machine, which forwards a request to the process of its statement |
//! | `task_processes` | starts these processes, limits their memory and ends them |
//! | [`task_worker`] | runs in such a process |
//! | [`workers`] | keeps track of available workers |
//! | [`statements`] | the processes in which statements run |
//! | `codec` | encodes the plan node as bytes |
//! | `channels` | connections to workers |
//! | [`credentials`] | the certificate and key of this machine |
//! | [`certificates`] | the fleet's own certificate authority (CA) |
//! | [`storage`] | exports in object storage |

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
