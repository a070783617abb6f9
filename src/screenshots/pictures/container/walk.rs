//! How the bytes of a picture are walked over, and what a format's own header says.

use super::super::error::Error;

/// What a format's own header says, before the limits are applied.
pub(super) struct Claim {
    pub(super) width: u32,
    pub(super) height: u32,
    /// What decoding takes for one pixel at the most.
    pub(super) bytes_per_pixel: u64,
}

/// Reads from the head of a slice; what is not there is `Incomplete`.
pub(super) struct Walk<'a>(pub(super) &'a [u8]);

impl<'a> Walk<'a> {
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (head, rest) = self.0.split_at_checked(length).ok_or(Error::Incomplete)?;
        self.0 = rest;
        Ok(head)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (head, rest) = self.0.split_first_chunk().ok_or(Error::Incomplete)?;
        self.0 = rest;
        Ok(*head)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Error> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    pub(super) fn u16(&mut self) -> Result<u16, Error> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_be_bytes(self.array()?))
    }
}
