//! The fleet's own certificate authority (CA). Workers and callers accept only connections with a certificate of this
//! CA.

use std::path::{Path, PathBuf};

use dayledger_core::files::{self, IfPresent, OffLimits, make_folder, read_text};
use dayledger_export::Person;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use time::{Duration, OffsetDateTime};

use crate::credentials::WORKER;

/// The file name of the CA's certificate and key, without extension.
const AUTHORITY: &str = "authority";
/// The number of years for which a CA is valid.
const CA_YEARS: i64 = 10;
/// The maximum size of a certificate or key file in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// The maximum difference between the clocks of two machines. To allow for this difference, the validity of a
/// certificate begins this long before its creation.
const MAX_CLOCK_SKEW: Duration = Duration::days(1);

/// A CA. The folder contains the CA's key and the certificates that the CA has created.
pub struct Authority {
    folder: PathBuf,
    issuer: Issuer<'static, KeyPair>,
    /// Whether the CA was just created.
    pub is_new: bool,
}

/// The purpose of a certificate. The purpose determines the allowed connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The holder may send requests to workers.
    Caller,
    /// The holder may run statements for callers, and send requests to other workers.
    Worker,
}

/// The paths of a certificate and its key, in PEM format.
#[derive(Debug)]
pub struct CertificateFiles {
    /// The certificate.
    pub certificate: PathBuf,
    /// The key of the certificate.
    pub key: PathBuf,
    /// The time (UTC) until which the certificate is valid.
    pub until: OffsetDateTime,
}

/// An error that prevented a certificate from being created.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file can't be read or written.
    #[error("cannot use `{0}`: it {1}")]
    File(PathBuf, #[source] files::Error),
    /// The CA's certificate or its key is missing.
    #[error("incomplete certificate authority: `{0}` is missing")]
    IncompletePair(PathBuf),
    /// The CA's files aren't a valid certificate and key.
    #[error("cannot read the certificate authority `{0}` and its key: {1}")]
    MissingAuthority(PathBuf, #[source] rcgen::Error),
    /// The requested name is the name of the CA's own files.
    #[error("cannot use the name `{AUTHORITY}`: it is the name of the certificate authority")]
    Reserved,
    /// The certificate could not be signed.
    #[error("cannot create a certificate: {0}")]
    Unsigned(#[from] rcgen::Error),
}

impl Error {
    /// Returns a hint for the user, on one line.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::File(_, files::Error::Exists) => "use another name, or remove both files of the old certificate",
            Self::File { .. } => "pass another folder with `--in`",
            Self::IncompletePair { .. } | Self::MissingAuthority { .. } => {
                "pass a folder with both files or an empty folder with `--in`"
            }
            Self::Reserved => "use another name",
            Self::Unsigned(_) => "try again; if the error remains, report it with the command that you ran",
        }
    }
}

impl Authority {
    /// Opens the CA in `folder`. If the folder contains no CA, creates one.
    ///
    /// # Errors
    /// Fails if the folder can't be used, if one of the CA's two files is missing, or if a file is invalid.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let refused = |source| Error::File(folder.to_owned(), source);
        make_folder(folder, &OffLimits::default()).map_err(refused)?;
        let (certificate, key) = file_paths(folder, AUTHORITY);
        match (read(&certificate)?, read(&key)?) {
            (None, None) => Self::create(folder),
            (Some(_), None) => Err(Error::IncompletePair(key)),
            (None, Some(_)) => Err(Error::IncompletePair(certificate)),
            (Some(pem), Some(of_key)) => {
                let issuer = KeyPair::from_pem(&of_key).and_then(|key| Issuer::from_ca_cert_pem(&pem, key));
                let issuer = issuer.map_err(|source| Error::MissingAuthority(certificate, source))?;
                Ok(Self { folder: folder.to_owned(), issuer, is_new: false })
            }
        }
    }

    fn create(folder: &Path) -> Result<Self, Error> {
        let key = KeyPair::generate()?;
        let mut params = valid_for(Duration::days(365 * CA_YEARS));
        params.distinguished_name = distinguished_name("dayledger-fleet");
        // A path length of 0 means that a certificate of this CA can't sign other certificates.
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let certificate = params.self_signed(&key)?;
        write_pair(folder, AUTHORITY, &certificate.pem(), &key)?;
        Ok(Self { folder: folder.to_owned(), issuer: Issuer::new(params, key), is_new: true })
    }

    /// Returns the paths of the CA's certificate and of its key. Every machine needs the certificate. The key must stay
    /// secret, because anyone with the key can create certificates.
    pub fn files(&self) -> (PathBuf, PathBuf) {
        file_paths(&self.folder, AUTHORITY)
    }

    /// Creates a key, and a certificate that is valid for `days` days from now. Only their owner can read the files.
    ///
    /// # Errors
    /// Fails if a certificate with this name already exists, or if the folder can't be written.
    pub fn certify(&self, name: &Person, role: Role, days: u16) -> Result<CertificateFiles, Error> {
        if name.as_str() == AUTHORITY {
            return Err(Error::Reserved);
        }
        let key = KeyPair::generate()?;
        let mut params = valid_for(Duration::days(days.into()));
        params.distinguished_name = distinguished_name(name.as_str());
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        if role == Role::Worker {
            // Callers check this name instead of the worker's address, so the certificate stays valid if the worker's
            // address changes.
            params.subject_alt_names = CertificateParams::new([WORKER.to_owned()])?.subject_alt_names;
            params.extended_key_usages.push(ExtendedKeyUsagePurpose::ServerAuth);
        }
        let signed = params.signed_by(&key, &self.issuer)?;
        write_pair(&self.folder, name.as_str(), &signed.pem(), &key)?;
        let (certificate, key) = file_paths(&self.folder, name.as_str());
        Ok(CertificateFiles { certificate, key, until: params.not_after })
    }
}

fn distinguished_name(name: &str) -> DistinguishedName {
    let mut named = DistinguishedName::new();
    named.push(DnType::CommonName, name);
    named
}

fn valid_for(time: Duration) -> CertificateParams {
    let now = OffsetDateTime::now_utc();
    let mut params = CertificateParams::default();
    params.not_before = now - MAX_CLOCK_SKEW;
    params.not_after = now + time;
    params
}

/// Returns the paths of a certificate and its key.
fn file_paths(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    (folder.join(format!("{name}.pem")), folder.join(format!("{name}.key")))
}

/// Writes a certificate and its key. Fails if one of the two files already exists.
fn write_pair(folder: &Path, name: &str, certificate: &str, key: &KeyPair) -> Result<(), Error> {
    let (certificate_at, key_at) = file_paths(folder, name);
    // Both files are checked first. Otherwise, the first file could be written although the second one exists.
    for path in [&certificate_at, &key_at] {
        files::check(path, IfPresent::Keep).map_err(|source| file_error(path, source))?;
    }
    for (path, text) in [(&key_at, key.serialize_pem().as_str()), (&certificate_at, certificate)] {
        files::write(path, text.as_bytes(), IfPresent::Keep).map_err(|source| file_error(path, source))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Option<String>, Error> {
    read_text(path, MAX_BYTES).map_err(|source| file_error(path, source))
}

fn file_error(path: &Path, source: files::Error) -> Error {
    Error::File(path.to_owned(), source)
}
