/** Property ids in a header (7z format, property ids). */
export const ID = {
  end: 0x00,
  header: 0x01,
  archiveProperties: 0x02,
  moreStreams: 0x03,
  streams: 0x04,
  files: 0x05,
  packs: 0x06,
  blocks: 0x07,
  parts: 0x08,
  size: 0x09,
  crc: 0x0a,
  block: 0x0b,
  unpackedSize: 0x0c,
  partCount: 0x0d,
  empty: 0x0e,
  emptyFile: 0x0f,
  anti: 0x10,
  names: 0x11,
  modified: 0x14,
  attributes: 0x15,
  packedHeader: 0x17,
} as const

/** Maximum number of files, or blocks, of an archive; all of them are kept in memory. */
export const MAX_ITEMS = 250_000
/** Maximum size of a header in bytes. */
export const MAX_HEADER = 32 * 1024 * 1024
/** Size of the signature header in bytes; offsets are relative to its end. */
export const SIGNATURE_LENGTH = 32
