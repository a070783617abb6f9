//! Why an attempt failed, and whether another may not.

use std::future::Future;
use std::time::Duration;

use crate::refusal::Refusal;

/// How often a model is asked before it is given up.
const ATTEMPTS: u32 = 3;

/// No pause is longer. Where a model asks for more, another attempt so soon is in vain.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Why an attempt failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// Another would fail in the same way.
    Permanent(Refusal),
    /// Another may succeed, after as long as the model asks for, if it does.
    Transient(Refusal, Option<Duration>),
}

/// Attempts until one succeeds, with pauses between them: as long as the model asks for, else that pause, and twice as
/// long the next time. Where it asks for more than half a minute, that attempt was the last: whoever asks is told how long,
/// and decides.
pub(super) async fn retry<T, F>(pause: Duration, mut attempt: impl FnMut() -> F) -> Result<T, Refusal>
where
    F: Future<Output = Result<T, Failure>>,
{
    let mut made = 0;
    loop {
        let (refusal, asked) = match attempt().await {
            Ok(success) => return Ok(success),
            Err(Failure::Permanent(refusal)) => return Err(refusal),
            Err(Failure::Transient(refusal, asked)) => (refusal, asked),
        };
        made += 1;
        if made == ATTEMPTS || asked.is_some_and(|asked| asked > MAX_PAUSE) {
            return Err(refusal);
        }
        let pause = asked.unwrap_or_else(|| pause.saturating_mul(1 << (made - 1)).min(MAX_PAUSE));
        tracing::debug!(code = refusal.code().as_str(), ?pause, "a model is asked again");
        tokio::time::sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use crate::refusal::Code;

    use super::*;

    /// Fails in those ways and then succeeds; says what came of it, after how many attempts, and how long it took.
    async fn attempts(failures: Vec<Failure>) -> (Result<(), Code>, usize, Duration) {
        let (started, mut failures, mut count) = (Instant::now(), failures.into_iter(), 0);
        let outcome = retry(Duration::from_secs(2), || {
            count += 1;
            let failure = failures.next();
            async { failure.map_or(Ok(()), Err) }
        });
        let outcome = outcome.await.map_err(|refusal| refusal.code());
        (outcome, count, started.elapsed())
    }

    fn passing(asked: Option<u64>) -> Failure {
        Failure::Transient(Refusal::new(Code::RateLimited, "no"), asked.map(Duration::from_secs))
    }

    #[tokio::test(start_paused = true)]
    async fn transient_failures_are_retried_with_longer_pauses() {
        assert_eq!(attempts(vec![passing(None), passing(None)]).await, (Ok(()), 3, Duration::from_secs(2 + 4)));
    }

    #[tokio::test(start_paused = true)]
    async fn the_third_attempt_is_the_last() {
        let failures = (0..5).map(|_| passing(None)).collect();
        assert_eq!(attempts(failures).await, (Err(Code::RateLimited), 3, Duration::from_secs(2 + 4)));
    }

    #[tokio::test(start_paused = true)]
    async fn requested_pause_is_kept_up_to_30_seconds() {
        assert_eq!(attempts(vec![passing(Some(7)), passing(Some(30))]).await, (Ok(()), 3, Duration::from_secs(7 + 30)));
        for asked in [31, 86_400, u64::MAX] {
            assert_eq!(
                attempts(vec![passing(Some(asked))]).await,
                (Err(Code::RateLimited), 1, Duration::ZERO),
                "{asked}"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn permanent_failure_is_not_retried() {
        let lasting = Failure::Permanent(Refusal::new(Code::ApiError, "no"));
        assert_eq!(attempts(vec![lasting]).await, (Err(Code::ApiError), 1, Duration::ZERO));
    }
}
