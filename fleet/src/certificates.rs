//! Certificates of an authority that is the fleet's own: whom it signed may ask or work, and nobody else.

use std::path::{Path, PathBuf};

use dayledger::export::Person;
use dayledger::files::{self, IfPresent, OffLimits, make_folder, read_text};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use time::{Duration, OffsetDateTime};

use crate::credentials::WORKER;

/// What the authority's own files are called.
const AUTHORITY: &str = "authority";
/// How long an authority holds.
const CA_YEARS: i64 = 10;
/// The largest certificate or key that is read.
const MAX_BYTES: u64 = 1 << 20;
/// By how much clocks of machines may differ.
const MAX_CLOCK_SKEW: Duration = Duration::days(1);

/// An authority, its key and what it signed, in one folder.
pub struct Authority {
    folder: PathBuf,
    issuer: Issuer<'static, KeyPair>,
    /// Whether it was made just now.
    pub is_new: bool,
}

/// What a certificate is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// To ask workers.
    Caller,
    /// To carry out what others ask, and to ask other workers for it.
    Worker,
}

/// A certificate and the key to it, each a file in PEM.
#[derive(Debug)]
pub struct CertificateFiles {
    /// The certificate.
    pub certificate: PathBuf,
    /// Its key.
    pub key: PathBuf,
    /// Until when it holds (UTC).
    pub until: OffsetDateTime,
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read or written.
    #[error("cannot use `{0}`: it {1}")]
    File(PathBuf, #[source] files::Error),
    /// There is an authority's certificate without its key, or the key without the certificate.
    #[error("incomplete certificate authority: `{0}` is missing")]
    IncompletePair(PathBuf),
    /// What is there cannot be read as a certificate and a key.
    #[error("cannot read the certificate authority `{0}` and its key: {1}")]
    MissingAuthority(PathBuf, #[source] rcgen::Error),
    /// The authority's files have that name.
    #[error("cannot use the name `{AUTHORITY}`: it is the name of the certificate authority")]
    Reserved,
    /// Signing failed.
    #[error("cannot create a certificate: {0}")]
    Unsigned(#[from] rcgen::Error),
}

impl Error {
    /// What the user can do, in one line.
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
    /// The authority in `folder`; it is made where there is none.
    ///
    /// # Errors
    /// A folder that cannot be used, and one that holds half an authority or none that can be read.
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
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let certificate = params.self_signed(&key)?;
        write_pair(folder, AUTHORITY, &certificate.pem(), &key)?;
        Ok(Self { folder: folder.to_owned(), issuer: Issuer::new(params, key), is_new: true })
    }

    /// Its certificate, which everybody needs, and its key, which lets anybody in.
    pub fn files(&self) -> (PathBuf, PathBuf) {
        file_paths(&self.folder, AUTHORITY)
    }

    /// Makes a certificate that holds for so many days from now, and the key to it. Its owner alone can read them.
    ///
    /// # Errors
    /// A certificate of that name that is there already, and a folder that cannot be written.
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

/// The files of a certificate and of its key.
fn file_paths(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    (folder.join(format!("{name}.pem")), folder.join(format!("{name}.key")))
}

/// Writes both files, neither of which may be there.
fn write_pair(folder: &Path, name: &str, certificate: &str, key: &KeyPair) -> Result<(), Error> {
    let (certificate_at, key_at) = file_paths(folder, name);
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
