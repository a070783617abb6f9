//! dayledger for many: the exports of many persons, asked at once with the same SQL as one person's history.
//!
//! Each person exports her own history (`dayledger export --person NAME`) into one folder beside those of others. Every
//! table, view and table function of the model has one column more here, `person`, and is answered for each person by the
//! engine that answers an archive of hers alone: what a number means stands in the same files of `sql/`, and an answer
//! about one person is the one that she gets. Only what a statement makes of these rows is computed over all.
//!
//! | file | what it is for |
//! |---|---|
//! | [`cli`] | arguments in, exit code out |
//! | [`status`] | which exports there are, and what is wrong with them |
//! | `exports` | the exports in a folder, and why one can't be used |
//! | `coverage` | which people and days are counted in hours |
//! | [`hours`] | what many did together, without what few did |
//! | [`office`] | what an assistant may ask of them, over MCP |
//! | [`record`] | which hours were asked for |
//! | [`team`] | which exports there are, and the engine over all of them |
//! | `members` | which of them a statement needs |
//! | `table` | a table over all of them, as DataFusion sees it |
//! | `rows` | the plan node that asks one after another |
//! | [`worker`] | a worker machine: carries out parts of statements for others |
//! | `forward` | its requests, each forwarded to the process of its statement |
//! | `task_processes` | those processes: their start, their memory, their end |
//! | [`task_worker`] | such a process itself |
//! | [`workers`] | which workers there are |
//! | [`statements`] | the processes that statements run in |
//! | `refusals` | what workers would answer otherwise than one process |
//! | `spread` | how that node is spread over workers |
//! | `wire` | that node as bytes |
//! | `channels` | connections to workers |
//! | [`credentials`] | who one is to others |
//! | [`certificates`] | the authority that says so |
//! | [`storage`] | exports in object storage |

pub mod audit_log;
pub mod certificates;
mod channels;
pub mod cli;
mod codec;
pub mod coverage;
pub mod credentials;
mod exports;
mod forward;
pub mod hours;
mod members;
mod rows;
pub mod statements;
pub mod status;
pub mod storage;
mod table;
mod task_processes;
mod task_split;
pub mod task_worker;
pub mod team;
pub mod team_service;
mod unsupported_plans;
pub mod worker;
pub mod workers;
