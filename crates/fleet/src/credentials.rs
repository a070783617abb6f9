//! The credentials of this machine or person: a certificate of the fleet's CA, and the key of the certificate.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tonic::transport::{Certificate, ClientTlsConfig, Identity, ServerTlsConfig};

/// The host name in every worker's certificate. A worker's address isn't in its certificate.
pub(crate) const WORKER: &str = "dayledger-worker";

/// Paths of the files, each in PEM.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct CredentialFiles {
    /// Certificate of the fleet's authority; any other certificate is rejected
    #[arg(long, value_name = "FILE", env = "DAYLEDGER_FLEET_AUTHORITY", required = false, requires = "certificate")]
    authority: PathBuf,
    /// Certificate of this machine or person
    #[arg(long, value_name = "FILE", env = "DAYLEDGER_FLEET_CERTIFICATE", required = false, requires = "key")]
    certificate: PathBuf,
    /// Key of the certificate
    #[arg(long, value_name = "FILE", env = "DAYLEDGER_FLEET_KEY", required = false, requires = "authority")]
    key: PathBuf,
}

/// The contents of the certificate and key files.
#[derive(Clone)]
pub struct Credentials {
    authority: Certificate,
    identity: Identity,
}

/// An error for a file that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{path}`: {source}")]
pub struct Unreadable {
    path: PathBuf,
    source: io::Error,
}

impl CredentialFiles {
    /// Reads the certificate and key files.
    ///
    /// # Errors
    /// Fails if a file can't be read. An invalid certificate isn't detected here, but only when it is used.
    pub fn read(&self) -> Result<Credentials, Unreadable> {
        let read =
            |path: &PathBuf| std::fs::read_to_string(path).map_err(|source| Unreadable { path: path.clone(), source });
        Ok(Credentials {
            authority: Certificate::from_pem(read(&self.authority)?),
            identity: Identity::from_pem(read(&self.certificate)?, read(&self.key)?),
        })
    }
}

impl Credentials {
    /// Returns the TLS settings of a caller. The caller accepts only a certificate that the CA created for a worker.
    pub(crate) fn client_tls(&self) -> ClientTlsConfig {
        let config = ClientTlsConfig::new().domain_name(WORKER);
        config.ca_certificate(self.authority.clone()).identity(self.identity.clone())
    }

    /// Returns the TLS settings of a worker. The worker accepts only callers with a certificate of the CA.
    pub(crate) fn server_tls(&self) -> ServerTlsConfig {
        ServerTlsConfig::new().identity(self.identity.clone()).client_ca_root(self.authority.clone())
    }
}
