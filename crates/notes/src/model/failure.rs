//! Failed attempts, and retries.

use std::future::Future;
use std::time::Duration;

use crate::refusal::Refusal;

/// The maximum number of attempts.
const ATTEMPTS: u32 = 3;

/// The longest pause. If a model requests a longer one, a retry would be useless.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Why an attempt failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// A retry would fail in the same way.
    Permanent(Refusal),
    /// A retry may succeed, after the pause that the model requested, if any.
    Transient(Refusal, Option<Duration>),
}

/// Repeats attempts until one succeeds. The pause between them is the one that the model requests, or else `pause`,
/// which doubles each time. If the model requests more than half a minute, there is no further attempt, and the error
/// reports the requested pause.
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
        tracing::debug!(code = refusal.code.as_str(), ?pause, "a model is asked again");
        tokio::time::sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use crate::refusal::Code;

    use super::*;

    /// Fails in these ways and then succeeds. Returns the outcome, the number of attempts and the time.
    async fn attempts(failures: Vec<Failure>) -> (Result<(), Code>, usize, Duration) {
        let (started, mut failures, mut count) = (Instant::now(), failures.into_iter(), 0);
        let outcome = retry(Duration::from_secs(2), || {
            count += 1;
            let failure = failures.next();
            async { failure.map_or(Ok(()), Err) }
        });
        let outcome = outcome.await.map_err(|refusal| refusal.code);
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
