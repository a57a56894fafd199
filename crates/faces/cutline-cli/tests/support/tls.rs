//! A server with TLS in front of one without.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// Listens on a port of its own with a certificate, and hands on what is said to another port; as long as the test runs.
pub(crate) fn in_front_of(port: u16, certificate: &Path, key: &Path) -> u16 {
    let certificate = CertificateDer::from_pem_file(certificate).unwrap();
    let key = PrivateKeyDer::from_pem_file(key).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let mut config = config.with_single_cert(vec![certificate], key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let ours = listener.local_addr().unwrap().port();
    std::thread::spawn(move || runtime.block_on(serve(listener, TlsAcceptor::from(Arc::new(config)), port)));
    ours
}

async fn serve(listener: TcpListener, acceptor: TlsAcceptor, port: u16) {
    while let Ok((client, _)) = listener.accept().await {
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            // Whoever does not trust the certificate goes away.
            let Ok(mut client) = acceptor.accept(client).await else { return };
            let mut server = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
            tokio::io::copy_bidirectional(&mut client, &mut server).await.ok();
        });
    }
}
