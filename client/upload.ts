import { errorOf, FiligreeError } from './error.ts'
import { at, type Http, mayPass, pause } from './http.ts'

/** Text is sent as UTF-8. In Node, `openAsBlob` of `node:fs` makes a blob of a file without reading it. */
export type Content = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>

export interface WriteOptions {
  /** Replaces an existing file; otherwise that is refused with `exists`. */
  replace?: boolean
  /** Replaces only this version. */
  version?: string
  modified?: Date
  onProgress?: (sent: number, total: number) => void
  signal?: AbortSignal
  /** Bytes of a chunk; larger content is sent in chunks. 8 MiB unless given. */
  chunk?: number
  /** Continues an upload of the same content that an earlier program left unfinished. */
  resume?: boolean
  /** Further tries of a chunk whose connection failed; 5 unless given. */
  retries?: number
}

export interface Written {
  /** For `save`, and for conditions. */
  version: string | undefined
  /** The id of the former content, if that was kept. */
  kept: string | undefined
}

/** Bytes up to which one request sends the whole content. */
export const SMALL = 8 * 1024 * 1024

export const toBlob = (content: Content): Blob => (content instanceof Blob ? content : new Blob([content]))

export function writtenOf(headers: Headers): Written {
  const kept = headers.get('x-kept')
  return { version: headers.get('etag') ?? undefined, kept: kept === 'no' ? undefined : (kept ?? undefined) }
}

/** Sends content in chunks (tus 1.0), each with its checksum where the platform computes one. */
export async function upload(http: Http, path: string, blob: Blob, options: WriteOptions): Promise<Written> {
  const { signal, onProgress, chunk = SMALL, retries = 5 } = options
  const address = at('/api/tus', path)
  let offset = (options.resume ? await offsetOf(http, address, blob.size, signal) : undefined) ?? 0
  if (offset === 0) await begin(http, address, blob.size, options)
  let failures = 0
  for (;;) {
    onProgress?.(offset, blob.size)
    try {
      const headers = await append(http, address, blob.slice(offset, offset + chunk), offset, signal)
      offset = Number(headers.get('upload-offset'))
      failures = 0
      if (offset >= blob.size) {
        onProgress?.(offset, blob.size)
        return { ...writtenOf(headers), version: await versionOf(http, path, signal) }
      }
    } catch (error) {
      signal?.throwIfAborted()
      const isOffset = error instanceof FiligreeError && error.code === 'wrong_offset'
      if (failures >= retries || !(mayPass(error) || isOffset)) throw error
      await pause(500 * 2 ** failures, signal)
      failures += 1
      offset = (await offsetOf(http, address, blob.size, signal).catch(() => undefined)) ?? offset
    }
  }
}

async function begin(http: Http, address: string, length: number, options: WriteOptions): Promise<void> {
  await http.act(address, {
    method: 'POST',
    query: { override: options.replace },
    headers: {
      'Upload-Length': String(length),
      'If-Match': options.version,
      'Upload-Modified': options.modified?.getTime().toString(),
    },
    signal: options.signal,
  })
}

/** @returns where an unfinished upload of this length continues, if there is one */
async function offsetOf(
  http: Http,
  address: string,
  length: number,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const response = await http.send(address, { method: 'HEAD', signal })
  if (response.status === 404) return undefined
  if (!response.ok) throw await errorOf(response)
  const isSame = Number(response.headers.get('upload-length')) === length
  return isSame ? Number(response.headers.get('upload-offset')) : undefined
}

/** The response to the last chunk has no version. @returns nothing where the account may not read the file */
async function versionOf(http: Http, path: string, signal?: AbortSignal): Promise<string | undefined> {
  const { ok, headers } = await http.send(at('/api/raw', path), { method: 'HEAD', accept: '*/*', signal })
  return (ok && headers.get('etag')) || undefined
}

async function append(
  http: Http,
  address: string,
  part: Blob,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<Headers> {
  return http.act(address, {
    method: 'PATCH',
    headers: {
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Checksum': await checksumOf(part),
    },
    body: part,
    signal,
  })
}

/** Browsers compute digests for pages over HTTPS only. */
async function checksumOf(part: Blob): Promise<string | undefined> {
  const { subtle } = globalThis.crypto ?? {}
  if (!subtle) return undefined
  const digest = await subtle.digest('SHA-256', await part.arrayBuffer())
  return `sha256 ${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
}
