//! What goes wrong between the API and whoever asks it.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame};

/// What happens instead of an answer.
#[derive(Clone)]
pub enum Mishap {
    /// A proxy answers with a page; nothing was carried out.
    Page(u16),
    /// A proxy answers with a page though it was carried out.
    PageAfter(u16),
    /// An error that the API did not expect, before it did anything.
    Internal,
    /// The same, when it was done already.
    InternalAfter,
    /// No answer ever, and nothing was carried out.
    Silence,
    /// No answer ever, though it was carried out.
    SilenceAfter,
    /// The connection is closed before it was carried out.
    Drop,
    /// The connection is closed after it was carried out.
    DropAfter,
    /// The answer ends in its middle.
    CutOff,
    /// The answer does not end.
    Endless,
    /// No answer, and it is carried out when [`super::Api::let_late_ones_through`] says so.
    Late,
    /// A proxy that knows of tokens says no.
    Unauthorized,
    /// An error whose message repeats the token.
    Echo,
    /// Something else happens, before it is carried out.
    Before(Arc<dyn Fn() + Send + Sync>),
    /// Something else happens, between the carrying out and the answer.
    After(Arc<dyn Fn() + Send + Sync>),
}

impl fmt::Debug for Mishap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Page(_) => "Page",
            Self::PageAfter(_) => "PageAfter",
            Self::Internal => "Internal",
            Self::InternalAfter => "InternalAfter",
            Self::Silence => "Silence",
            Self::SilenceAfter => "SilenceAfter",
            Self::Drop => "Drop",
            Self::DropAfter => "DropAfter",
            Self::CutOff => "CutOff",
            Self::Endless => "Endless",
            Self::Late => "Late",
            Self::Unauthorized => "Unauthorized",
            Self::Echo => "Echo",
            Self::Before(_) => "Before",
            Self::After(_) => "After",
        })
    }
}

/// How a body ends.
enum End {
    Whole,
    Broken,
    Never(Bytes),
}

/// A body in parts.
pub(super) struct Parts {
    parts: VecDeque<Bytes>,
    end: End,
}

impl Parts {
    pub(super) fn whole(body: impl Into<Bytes>) -> Self {
        Self { parts: VecDeque::from([body.into()]), end: End::Whole }
    }

    /// The first half, then an end that is none.
    pub(super) fn cut(body: impl Into<Bytes>) -> Self {
        let body: Bytes = body.into();
        Self { parts: VecDeque::from([body.slice(..body.len() / 2)]), end: End::Broken }
    }

    pub(super) fn endless() -> Self {
        Self { parts: VecDeque::new(), end: End::Never(Bytes::from(vec![b' '; 1 << 16])) }
    }
}

impl Body for Parts {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<std::io::Result<Frame<Bytes>>>> {
        if let Some(part) = self.parts.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(part))));
        }
        Poll::Ready(match &self.end {
            End::Whole => None,
            End::Broken => Some(Err(std::io::ErrorKind::ConnectionAborted.into())),
            End::Never(part) => Some(Ok(Frame::data(part.clone()))),
        })
    }
}
