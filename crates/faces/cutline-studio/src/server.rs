//! Where the studio listens, and when it ends.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::middleware;
use tokio::sync::watch;

use crate::guard::{Gate, Token, guard};
use crate::routes::{Studio, router};
use crate::{Confines, Elsewhere};

/// A studio that is served in a thread of its own.
pub struct Server {
    url: String,
    studio: Arc<Studio>,
    end: watch::Sender<bool>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Server {
    /// Listens on a free port of the loopback address. Tables that are no files are opened by `elsewhere`.
    ///
    /// # Errors
    /// If there is no such port, or no random numbers for the token.
    pub fn start(confines: Confines, elsewhere: Arc<dyn Elsewhere>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let token = Token::new().map_err(io::Error::other)?;
        let url = format!("http://127.0.0.1:{port}/{}/", token.text());
        let (end, ended) = watch::channel(false);
        let studio = Arc::new(Studio::new(confines, elsewhere, end.clone())?);
        let nested = axum::Router::new().nest_service(&format!("/{}", token.text()), router(studio.clone()));
        let gate = Arc::new(Gate { token, port });
        let app = nested.layer(middleware::from_fn_with_state(gate, guard));
        let thread =
            std::thread::Builder::new().name("studio".to_owned()).spawn(move || serve(listener, app, ended))?;
        Ok(Server { url, studio, end, thread: Some(thread) })
    }

    /// The address to open. Whoever has it can do what the page can.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Did somebody ask it to end?
    pub fn has_ended(&self) -> bool {
        *self.end.borrow() || self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Ends it: what runs is stopped, and nothing half made is left.
    ///
    /// # Errors
    /// If serving failed.
    pub fn stop(mut self) -> io::Result<()> {
        self.ask_to_end();
        let joined = self.thread.take().map_or(Ok(Ok(())), JoinHandle::join);
        joined.unwrap_or_else(|_| Err(io::Error::other("the studio's thread panicked")))
    }

    fn ask_to_end(&self) {
        self.studio.stop_all();
        self.end.send_replace(true);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ask_to_end();
    }
}

fn serve(listener: TcpListener, app: axum::Router, mut ended: watch::Receiver<bool>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let mut end = ended.clone();
        let end = async move {
            let _ = end.wait_for(|end| *end).await;
        };
        let serving = std::future::IntoFuture::into_future(axum::serve(listener, app).with_graceful_shutdown(end));
        // A browser may keep its connections; who wants to end does not wait for it long.
        tokio::select! {
            served = serving => served,
            () = grace(&mut ended) => Ok(()),
        }
    });
    // What still works is told to stop, and a publication that is being made is either left out or complete.
    runtime.shutdown_timeout(std::time::Duration::from_secs(5));
    served
}

async fn grace(ended: &mut watch::Receiver<bool>) {
    let _ = ended.wait_for(|end| *end).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
}
