//! Is it the server that it says it is?

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use postgres::config::SslMode;
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::error::PostgresError;
use crate::location::Location;

/// Whom to trust, as `sslmode` says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// No TLS.
    Disable,
    /// TLS if the server has it. Nobody looks at its certificate.
    Prefer,
    /// TLS with whatever certificate: against those who listen, not against those who pretend to be the server.
    Require,
    /// TLS with a certificate of a known authority for this host: from this file, or the system's.
    Verify(Option<String>),
}

/// Where systems keep the certificates of authorities.
const SYSTEM: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
];

impl Trust {
    pub(crate) fn new(mode: Option<&str>, roots: Option<String>) -> Result<Self, PostgresError> {
        let roots = roots.filter(|roots| roots != "system");
        Ok(match (mode, &roots) {
            (Some("disable"), _) => Trust::Disable,
            (None | Some("prefer" | "allow"), _) => Trust::Prefer,
            // As PostgreSQL's own clients: whoever names authorities wants them to be asked.
            (Some("require"), None) => Trust::Require,
            (Some("require" | "verify-ca" | "verify-full"), _) => Trust::Verify(roots),
            _ => {
                let known = "sslmode is disable, prefer, require, verify-ca or verify-full";
                return Err(PostgresError::Location(known.to_owned()));
            }
        })
    }

    pub(crate) fn mode(&self) -> SslMode {
        match self {
            Trust::Disable => SslMode::Disable,
            Trust::Prefer => SslMode::Prefer,
            Trust::Require | Trust::Verify(_) => SslMode::Require,
        }
    }
}

/// Makes connections secret.
#[derive(Clone)]
pub(crate) struct Tls(Arc<ClientConfig>);

impl Tls {
    pub(crate) fn new(location: &Location) -> Result<Self, PostgresError> {
        let provider = Arc::new(ring::default_provider());
        let problem = |what: String| PostgresError::Location(format!("TLS cannot be set up: {what}"));
        let verifier: Arc<dyn ServerCertVerifier> = match &location.trust {
            Trust::Verify(file) => {
                let roots = Arc::new(roots(file.as_deref())?);
                WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider))
                    .build()
                    .map_err(|error| problem(error.to_string()))?
            }
            _ => Arc::new(Anybody(Arc::clone(&provider))),
        };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| problem(error.to_string()))?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth();
        Ok(Tls(Arc::new(config)))
    }
}

/// The authorities of a file, or the system's.
fn roots(file: Option<&str>) -> Result<RootCertStore, PostgresError> {
    let file = file.or_else(|| SYSTEM.into_iter().find(|file| Path::new(file).is_file())).unwrap_or(SYSTEM[0]);
    let unusable = |problem: String| PostgresError::File { file: file.to_owned(), problem };
    let found = CertificateDer::pem_file_iter(file).map_err(|error| unusable(error.to_string()))?;
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.filter_map(Result::ok));
    if roots.is_empty() { Err(unusable("it has no certificates".to_owned())) } else { Ok(roots) }
}

/// Takes any certificate, as `require` and `prefer` do; signatures are checked all the same.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = Secret<S>;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, domain: &str) -> io::Result<Handshake> {
        // Through a socket of this machine there is no host, and no TLS.
        let name = ServerName::try_from(if domain.is_empty() { "localhost" } else { domain }.to_owned());
        Ok(Handshake { config: Arc::clone(&self.0), name: name.map_err(io::Error::other)? })
    }
}

/// One connection that is to become secret.
pub(crate) struct Handshake {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Handshake {
    type Stream = Secret<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Secret<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        let connector = tokio_rustls::TlsConnector::from(self.config);
        Box::pin(async move { connector.connect(self.name, stream).await.map(|stream| Secret(Box::new(stream))) })
    }
}

/// A secret connection. Channel binding is not offered: the driver then authenticates without it.
pub(crate) struct Secret<S>(Box<tokio_rustls::client::TlsStream<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin> postgres::tls::TlsStream for Secret<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Secret<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Secret<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_shutdown(context)
    }
}
