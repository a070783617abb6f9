//! Serves MCP over streamable HTTP for the conformance suite, which doesn't support stdio.
//!
//! `http FOLDER` serves the history in FOLDER on a free port of the loopback interface. It writes its address to
//! stdout, and ends when its stdin is closed. It is built only with the feature `http`.

use std::convert::Infallible;
use std::io::Write as _;
use std::sync::Arc;

use dayledger::{
    App,
    manictime::{Locator, Source},
    mcp,
    source::FoundBy,
};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use rmcp::transport::{
    StreamableHttpServerConfig, StreamableHttpService, streamable_http_server::session::local::LocalSessionManager,
};
use tokio::net::TcpListener;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let folder = std::env::args_os().nth(1).ok_or_else(|| anyhow::anyhow!("usage: http FOLDER"))?;
    let app = App::builder(Arc::new(Source::new(Locator::from_path(folder, FoundBy::Flag)))).build()?;
    let selection = mcp::Selection::from_choice(&mcp::ToolChoice::default())?;
    let service = StreamableHttpService::new(
        move || Ok(mcp::handler(app.clone(), &selection)),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    writeln!(std::io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
    let (mut input, mut nowhere) = (tokio::io::stdin(), tokio::io::sink());
    tokio::select! {
        served = serve(listener, service) => served,
        // Standard input is closed, so the process that started this server has ended.
        _ = tokio::io::copy(&mut input, &mut nowhere) => Ok(()),
    }
}

async fn serve<S>(listener: TcpListener, service: StreamableHttpService<S, LocalSessionManager>) -> anyhow::Result<()>
where
    S: rmcp::ServerHandler,
{
    loop {
        let (stream, _) = listener.accept().await?;
        let service = service.clone();
        tokio::spawn(async move {
            let answering = service_fn(|request| {
                let service = service.clone();
                async move { Ok::<_, Infallible>(service.handle(request).await) }
            });
            // A client that disconnects is not an error of the server, so the error is ignored.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answering).await;
        });
    }
}
