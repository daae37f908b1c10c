/** What the server is told of a file, and of what it may replace (RFC 9110 13.1.4). */
export function fileHeaders(file: File, unmodifiedSince: number | undefined): Record<string, string> {
  const since = unmodifiedSince === undefined ? {} : { 'If-Unmodified-Since': new Date(unmodifiedSince).toUTCString() }
  return { 'Upload-Modified': String(file.lastModified), ...since }
}

/** Bytes as the algorithms of the server write them, or nothing where the browser makes none (on plain HTTP). */
export async function sha256(bytes: Blob): Promise<Uint8Array | undefined> {
  if (!globalThis.crypto?.subtle) return undefined
  return new Uint8Array(await crypto.subtle.digest('SHA-256', await bytes.arrayBuffer()))
}
