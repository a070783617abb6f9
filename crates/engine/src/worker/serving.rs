//! The worker's side: reads statements from standard input, and writes their rows to standard output.

use std::io::{self, Stdout};
use std::process;
use std::thread;
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::writer::StreamWriter;
use tokio::sync::mpsc::{self, Sender};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::compact::compact;
use super::frame::{self, Frame, Kind, Report, StatementRequest};
use super::memory::OwnLimit;
use crate::{Engine, Error, Progress, QueryLimits};

/// How long a worker waits for its next statement before it ends.
const WORKER_IDLE_TIMEOUT: Duration = Duration::from_mins(5);

/// The time between two progress reports.
const REPORT_EVERY: Duration = Duration::from_millis(200);

/// The engine of a worker, or the error if the engine couldn't be opened. The first statement fails with this error.
pub type OpenedEngine = Result<Engine, Error>;

/// Reads statements from standard input, after the setup ([`read_setup`](super::read_setup)), and runs them. Returns if
/// no statement arrives for five minutes. When the input ends, the process exits immediately.
///
/// Needs a Tokio runtime with a time driver. Other code must not write to standard output.
///
/// # Errors
/// Fails if standard output is closed.
pub async fn serve(opened: OpenedEngine) -> io::Result<()> {
    let limit = OwnLimit::detect();
    let (sender, mut requests) = mpsc::channel(1);
    thread::Builder::new().name("dayledger-input".to_owned()).spawn(move || listen(&sender))?;
    let mut output = io::stdout();
    let engine = match opened {
        Ok(engine) => engine,
        // The worker ends after this error. The next statement starts a new worker, because the cause may be gone by
        // then.
        Err(error) => {
            return if requests.recv().await.is_some() { Frame::from_error(error)?.write(&mut output) } else { Ok(()) };
        }
    };
    while let Ok(Some(request)) = timeout(WORKER_IDLE_TIMEOUT, requests.recv()).await {
        limit.set(request.process_bytes);
        let answering = AnswerWriter { output: &mut output, progress: Progress::default() };
        match answering.answer(&engine, request).await {
            Ok(()) => {}
            Err(ServeError::Statement(error)) => Frame::from_error(error)?.write(&mut output)?,
            Err(ServeError::Output(error)) => return Err(error),
        }
    }
    Ok(())
}

/// Forwards statements. This thread only reads the input. So it notices the end of the input even while a statement
/// runs.
fn listen(requests: &Sender<StatementRequest>) {
    while let Ok(Some(frame)) = Frame::read(&mut io::stdin()) {
        let Ok(request) = frame.read_json() else { break };
        if requests.blocking_send(request).is_err() {
            break;
        }
    }
    // A computation can't be stopped from another thread, so the whole process exits.
    process::exit(0);
}

/// The reason why a result is incomplete.
#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error(transparent)]
    Statement(#[from] Error),
    #[error(transparent)]
    Output(#[from] io::Error),
}

impl From<ArrowError> for ServeError {
    fn from(error: ArrowError) -> Self {
        Self::Statement(Error::from_row_error(error))
    }
}

/// Writes the result of one statement.
struct AnswerWriter<'o> {
    output: &'o mut Stdout,
    progress: Progress,
}

impl AnswerWriter<'_> {
    async fn answer(mut self, engine: &Engine, request: StatementRequest) -> Result<(), ServeError> {
        let limits = QueryLimits { deadline: Duration::MAX, ..request.limits };
        let stream = self.progress.track(engine.stream(request.statement, &limits));
        let mut table = self.report_during(stream).await??;
        let schema = table.schema();
        check_depth(&schema)?;
        self.write_rows(encode(&schema, None)?, limits.bytes)?;
        while let Some(batch) = self.report_during(table.next()).await? {
            self.write_rows(encode(&schema, Some(&batch?))?, limits.bytes)?;
        }
        Ok(Frame::from_json(&Report::End { truncated: table.truncated_by() })?.write(self.output)?)
    }

    /// Writes rows in one frame. `most` is the maximum size in bytes of all rows of the result together.
    fn write_rows(&mut self, bytes: Vec<u8>, most: usize) -> Result<(), ServeError> {
        if bytes.len() as u64 > frame::max_answer_bytes(most) {
            return Err(Error::from_row_error("their types need too much space; cast them to simpler types").into());
        }
        Ok(Frame { kind: Kind::Rows, bytes }.write(self.output)?)
    }

    /// Reports the progress regularly until `work` is done.
    async fn report_during<T>(&mut self, work: impl Future<Output = T>) -> io::Result<T> {
        let mut work = std::pin::pin!(work);
        let mut ticks = interval(REPORT_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return Ok(done),
                _ = ticks.tick() => {
                    let progress = Report::Progress { stage: self.progress.stage(), rows: self.progress.rows() };
                    Frame::from_json(&progress)?.write(self.output)?;
                }
            }
        }
    }
}

/// Rejects columns with types that Arrow IPC can write but not read.
fn check_depth(schema: &SchemaRef) -> Result<(), ServeError> {
    /// The maximum nesting of lists and structs. Arrow's readers accept about 60 levels.
    const MAX_NESTING: usize = 50;
    match schema.fields().iter().find(|field| nesting_depth(field.data_type()) > MAX_NESTING) {
        Some(field) => {
            Err(Error::from_row_error(format!("`{}` is nested more than {MAX_NESTING} deep", field.name())).into())
        }
        None => Ok(()),
    }
}

fn nesting_depth(data_type: &DataType) -> usize {
    let inside = match data_type {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => nesting_depth(item.data_type()),
        DataType::RunEndEncoded(_, values) => nesting_depth(values.data_type()),
        DataType::Dictionary(_, values) => nesting_depth(values),
        DataType::Struct(fields) => fields.iter().map(|field| nesting_depth(field.data_type())).max().unwrap_or(0),
        DataType::Union(fields, _) => {
            fields.iter().map(|(_, field)| nesting_depth(field.data_type())).max().unwrap_or(0)
        }
        _ => return 0,
    };
    1 + inside
}

/// Returns the rows of `batch` as an Arrow IPC stream. Without a batch, the stream contains only the columns.
fn encode(schema: &SchemaRef, batch: Option<&RecordBatch>) -> Result<Vec<u8>, ArrowError> {
    // Each frame is decoded without the earlier frames. So each batch is a separate stream that contains the columns.
    let mut writer = StreamWriter::try_new(Vec::new(), schema)?;
    if let Some(batch) = batch {
        writer.write(&compact(batch)?)?;
    }
    writer.into_inner()
}
