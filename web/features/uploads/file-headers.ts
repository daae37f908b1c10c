/** Headers about a file and the version it may replace (RFC 9110 13.1.4). */
export function fileHeaders(file: File, unmodifiedSince: number | undefined): Record<string, string> {
  const since = unmodifiedSince === undefined ? {} : { 'If-Unmodified-Since': new Date(unmodifiedSince).toUTCString() }
  return { 'Upload-Modified': String(file.lastModified), ...since }
}

/** A digest in the server's notation; `undefined` where Web Crypto is unavailable (plain HTTP). */
export async function sha256(bytes: Blob): Promise<Uint8Array | undefined> {
  if (!globalThis.crypto?.subtle) return undefined
  return new Uint8Array(await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer()))
}

/** Maximum number of blocks per chunk, one checksum each: as many as fit into a header that proxies accept. */
const BLOCKS = 100
/** Minimum size of a block in bytes. */
const SMALLEST_BLOCK = 64 * 1024

/** The SHA-256 of each block of a chunk; `undefined` where Web Crypto is unavailable (plain HTTP). */
export async function checksumHeaders(piece: Blob): Promise<Record<string, string>> {
  if (!globalThis.crypto?.subtle) return {}
  const bytes = await piece.arrayBuffer()
  const block = Math.max(SMALLEST_BLOCK, Math.ceil(piece.size / BLOCKS))
  const digests: Promise<ArrayBuffer>[] = []
  for (let at = 0; at < piece.size; at += block) {
    const length = Math.min(block, piece.size - at)
    digests.push(crypto.subtle.digest('SHA-256', new Uint8Array(bytes, at, length)))
  }
  const sums = (await Promise.all(digests)).map(digest => String.fromCharCode(...new Uint8Array(digest)))
  return { 'Upload-Checksum': `sha256 ${btoa(sums.join(''))}`, 'Upload-Checksum-Blocks': String(block) }
}
