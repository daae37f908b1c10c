import { encodePath, type FilePath } from '../../../shared/path.ts'
import { ApiError, type ApiInit, api, apiUrl } from '../../lib/api.ts'
import { chunkSizes, nextSize, noteBroken, smallerThan } from './chunk-size.ts'
import { hasArrived } from './compare-remote.ts'
import { checksumHeaders, fileHeaders } from './file-headers.ts'
import { gestureHeaders, noteChange } from './gesture.ts'
import type { SendOptions } from './transport-types.ts'
import { noteKept } from './unkept.ts'
import { sendXhr, untilLost } from './xhr.ts'

/** Consecutive retries of a chunk before its failure counts. */
const RETRIES = 5
const LONGEST_WAIT = 20_000
/** Refusals of the server after which its offset is queried; `not_found`: the upload is complete, or has expired. */
const PASSING: ReadonlySet<string> = new Set(['checksum_mismatch', 'wrong_offset', 'incomplete_body', 'not_found'])

/** Where the server takes a file in chunks. */
export interface ChunkPlace {
  /** `false` for calls without a session. */
  auth: boolean
  /** The URL that begins an upload, below the base URL. */
  begin(): string
  /** The URL of the upload; `undefined` before it has begun. */
  current(): string | undefined
  /** Headers of every call. */
  headers?(): Record<string, string>
  /** Called with the response that began it. */
  begun(response: Response): void
  /** Called with the headers of the response to each chunk. */
  sent?(headers: Headers): void
  /** Whether the file is there already: the result of an upload whose response was lost. */
  hasArrived(signal: AbortSignal): Promise<boolean>
}

/** The place of a file in the user's own folders (http-api 4). */
export function ownPlace(path: FilePath, file: File, override: boolean): ChunkPlace {
  const url = urlOf(path)
  return {
    auth: true,
    begin: () => `${url}?override=${override}`,
    current: () => url,
    begun: ({ headers }) => noteChange(headers),
    sent(headers) {
      noteChange(headers)
      noteKept(headers, path)
    },
    hasArrived: signal => hasArrived(path, file, signal),
  }
}

/** A chunked upload of a file (http-api 4, tus 1.0). */
interface Upload {
  place: ChunkPlace
  file: File
  options: SendOptions
  offset: number
  /** Size of the next chunk, and of the largest, in bytes. */
  size: number
  most: number
  /** Failures since the last byte received. */
  failures: number
}

const urlOf = (path: FilePath) => `/api/tus${encodePath(path)}`

/**
 * Sends a file in chunks, with checksums where Web Crypto is available, and resumes an interrupted upload, also within
 * a chunk. Chunk sizes adapt so that each takes some seconds.
 * @throws ApiError; see also `isProxyRefusal`
 */
export async function sendInChunks(
  place: ChunkPlace,
  file: File,
  options: SendOptions,
  chunkSize: number,
): Promise<void> {
  const upload: Upload = { place, file, options, offset: 0, size: 0, most: 0, failures: 0 }
  if (options.begun || options.attempt > 0) await resume(upload)
  else await create(upload)
  const { first, most } = chunkSizes(chunkSize, upload.offset > options.kept ? 0 : options.attempt)
  Object.assign(upload, { size: first, most })
  while (upload.offset < file.size) await sendNext(upload)
}

/** Discards an upload; nothing is left of it on the server. */
export async function discardUpload(path: FilePath): Promise<void> {
  await api(urlOf(path), { method: 'DELETE' })
}

/** Whether a proxy, not the server, rejects such calls: the server's refusals carry a code. */
export function isProxyRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code === '' && [404, 405, 501].includes(error.status)
}

async function create({ place, file, options }: Upload): Promise<void> {
  const headers = {
    'Upload-Length': String(file.size),
    ...gestureHeaders(),
    ...fileHeaders(file, options.unmodifiedSince),
    ...place.headers?.(),
    ...options.headers,
  }
  const init: ApiInit = { method: 'POST', headers, signal: untilLost(options.signal), auth: place.auth }
  place.begun(await api(place.begin(), init))
  options.onKept(0)
}

/** The server's offset; `undefined` where it has no upload of this length. */
async function knownOffset({ place, file, options }: Upload): Promise<number | undefined> {
  const url = place.current()
  if (url === undefined) return undefined
  try {
    const signal = untilLost(options.signal)
    const init: ApiInit = { method: 'HEAD', cache: 'no-store', signal, auth: place.auth }
    const { headers } = await api(url, { ...init, headers: { ...place.headers?.() } })
    return Number(headers.get('Upload-Length')) === file.size ? Number(headers.get('Upload-Offset')) : undefined
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

async function sendNext(upload: Upload): Promise<void> {
  const began = performance.now()
  try {
    upload.offset = await sendChunk(upload)
    upload.failures = 0
    upload.options.onKept(upload.offset)
    // The last chunk may be short, and does not measure the connection.
    if (upload.offset < upload.file.size) upload.size = nextSize(upload.size, upload.most, performance.now() - began)
  } catch (error) {
    if (!upload.options.signal.aborted) noteBroken(upload.size, performance.now() - began)
    await recover(upload, error)
  }
}

/**
 * @returns the offset after it
 */
async function sendChunk({ place, file, options, offset, size }: Upload): Promise<number> {
  const piece = file.slice(offset, offset + size)
  const checksums = await checksumHeaders(piece)
  const headers = await sendXhr({
    method: 'PATCH',
    url: apiUrl(place.current() ?? place.begin()),
    auth: place.auth,
    headers: {
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
      ...place.headers?.(),
      ...gestureHeaders(),
      ...checksums,
    },
    body: piece,
    signal: options.signal,
    onProgress: sent => options.onProgress(offset + sent),
  })
  place.sent?.(headers)
  return Number(headers.get('Upload-Offset') ?? offset + piece.size)
}

/** Determines the offset after a failure. @throws an error that cannot be recovered from */
async function recover(upload: Upload, error: unknown): Promise<void> {
  const { signal } = upload.options
  if (!(error instanceof ApiError) || signal.aborted) throw error
  const smaller = isTooMuch(error) ? smallerThan(upload.size) : undefined
  if (!(smaller || isPassing(error)) || upload.failures >= RETRIES) throw error
  if (smaller) {
    upload.size = smaller
    upload.most = smaller
  } else {
    await pause(upload.failures === 0 ? 0 : Math.min(LONGEST_WAIT, 1000 * 2 ** (upload.failures - 1)), signal)
    upload.failures += 1
  }
  const before = upload.offset
  const known = await resume(upload)
  // The server has a record of it, but its data was deleted with the folder.
  if (known && error.code === 'not_found') throw error
  if (upload.offset > before) upload.failures = 0
}

/**
 * Determines the offset to resume at: the server's, the end if only its response was lost, or else 0.
 * @returns whether the server has the upload
 */
async function resume(upload: Upload): Promise<boolean> {
  const { place, file, options } = upload
  const offset = await knownOffset(upload)
  const arrived = offset === undefined && (await place.hasArrived(options.signal))
  upload.offset = arrived ? file.size : (offset ?? 0)
  if (offset === undefined && !arrived) await create(upload)
  else options.onKept(upload.offset)
  options.onProgress(upload.offset)
  return offset !== undefined
}

/** A proxy's limit; the server's own comes with a code. */
export const isTooMuch = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 413 && error.code === ''

/** A corrupt chunk, or one at a wrong offset; a connection ended by a proxy. */
function isPassing({ status, code }: ApiError): boolean {
  if (PASSING.has(code)) return true
  return code === '' && [408, 429, 500].includes(status)
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
