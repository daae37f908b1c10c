import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FilePath } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry } from './entry.ts'
import type { KeepReplaced } from './kept.ts'

/**
 * A file that is being written. Until it is published it has no path: no other operation lists, reads or removes it
 * (except the removal of the folder that contains it), and every reader sees the old content or none.
 */
export interface StagedFile {
  /** Its bytes. */
  readonly size: number
  /** Appends a chunk. Resolves when its memory may be reused; what goes wrong may be thrown by a later call. */
  append(chunk: Buffer): Promise<void>
  /**
   * Publishes the file under its path in one step, with all its content; it is durable afterwards. Missing folders are
   * made. A file that cannot be published stays staged, and leaves no folders.
   * @throws exists (`ifAbsent`), precondition_failed (`ifMatch`), incomplete_body (`length`), is_a_folder,
   *    not_a_folder (a parent is a file), not_found
   */
  publish(file: FilePath, how: PublishOptions): Promise<Published>
  /**
   * Fills the empty file with the content of an open one, whose blocks it shares. Only where a disk may do so.
   * @param copying how the operating system may copy the bytes instead; default: not at all
   * @returns the content as the disk has it @throws unsupported when this disk does not
   */
  share?(file: ShareableFile, copying?: Copying): Promise<AsyncIterable<Buffer>>
  /** Ends the use of the file. Unless it was published, it is removed; one that can be resumed stays. Idempotent. */
  close(): Promise<void>
}

export interface Copying {
  signal?: AbortSignal
  /** Receives the number of bytes copied since the last call. */
  taken?: (bytes: number) => void
}

/** An open file, as far as its content can be taken without reading it. */
export interface ShareableFile {
  readonly descriptor?: number
  readonly entry: Pick<Entry, 'size'>
}

/** A staged file that can be resumed. */
export interface ResumableFile extends StagedFile {
  /** For `resume`: opaque, stored together with the store's root. */
  readonly name: string
  /** How many of its bytes survive a power cut. */
  readonly durable: number
  /** Resolves when all bytes are durable. */
  flush(): Promise<void>
  /** Keeps the first bytes; fewer where those cannot be distinguished from lost ones. */
  truncate(size: number): Promise<void>
  /** All bytes. */
  read(): AsyncIterable<Buffer>
}

export interface ResumableFiles {
  /** Begins an empty file, which is durable. @throws as `stage` of the driver */
  stage(file: FilePath, how?: Pick<PublishOptions, 'length' | 'ifAbsent'>): Promise<ResumableFile>
  /**
   * Opens a file again with its first `size` bytes, or fewer if there are no more; other bytes are dropped.
   * @throws not_found
   */
  resume(name: string, size: number): Promise<ResumableFile>
  /** Removes a staged file, and nothing else; succeeds if it is missing. */
  discard(name: string): Promise<void>
}

/** A file that was published. */
export interface Published extends Entry {
  /**
   * The highest folder that was made for it, `none` if they were all there. Only of a store that knows: another operation
   * may make or move a folder there at the same moment.
   */
  madeFolder?: FilePath | 'none'
}

export interface PublishOptions {
  /** Bytes that it must have. */
  length?: number
  /** Publish only if the path does not exist. Checked atomically when publishing. */
  ifAbsent?: boolean
  /** Publish only if the existing `version` equals this one; `*` matches any existing file. */
  ifMatch?: string
  /** POSIX permission bits of a new file; a replaced file keeps its own. */
  mode?: number
  /** Modification time to set, in milliseconds since the epoch. */
  modified?: number
  /** Keeps the file that gives way. Stores without `kept` ignore it. */
  keep?: KeepReplaced
}

/** Of a whole file in one step. */
export interface WriteOptions extends PublishOptions {
  /** Aborts the operation and removes what it made. */
  signal?: AbortSignal
}

/** Inspects content, and throws as soon as it is known to be wrong, at the latest in `end`. */
export interface ContentCheck {
  piece(bytes: Buffer): void
  end(): void
  /** Leading bytes known to be right whatever follows them. Default: 0. */
  good?(): number
}

export interface AppendOptions {
  /** Announced length in bytes; a shorter body is `incomplete_body`. */
  length?: number
  /** Limit in bytes; a longer body is `body_too_large`. */
  most: number
  signal?: AbortSignal
  /** Receives every chunk after it is appended. Bytes that it has not confirmed when the body ends are dropped. */
  check?: ContentCheck
}

/** Bytes between two reports of progress: the client of an interrupted body sends hardly more than this twice. */
const REPORT_EVERY = 32 * 1024 * 1024

/**
 * Writes a whole file, all or nothing. A failed or aborted write leaves no trace.
 * @throws as `StagedFile.publish`; incomplete_body, body_too_large (`length`)
 */
export async function writeFile(
  store: { stage(file: FilePath, how: WriteOptions): Promise<StagedFile> },
  file: FilePath,
  body: Readable,
  how: WriteOptions,
): Promise<Entry> {
  holdErrors(body)
  const staged = await store.stage(file, how)
  try {
    await fill(staged, body, how)
    const { madeFolder: _, ...entry } = await staged.publish(file, how)
    return entry
  } finally {
    await staged.close()
  }
}

/**
 * Appends a whole body.
 * @param how `taken`: called with the size of each chunk once it is appended
 * @throws incomplete_body, body_too_large (`length`), and whatever the check throws
 */
export async function fill(
  staged: StagedFile,
  body: Readable,
  {
    taken,
    check,
    ...how
  }: Pick<WriteOptions, 'length' | 'signal'> & {
    taken?: (bytes: number) => void
    check?: ContentCheck
  },
): Promise<void> {
  holdErrors(body)
  for await (const chunk of chunksOf(body, how)) {
    await staged.append(chunk)
    check?.piece(chunk)
    taken?.(chunk.length)
  }
  check?.end()
  refuseAborted(how.signal)
}

/**
 * Fills a staged file with the content of an open one: within the operating system where both are on such a disk, and
 * otherwise byte by byte.
 */
export async function fillFrom(
  staged: StagedFile,
  file: ShareableFile & { stream(): Readable },
  how: Copying,
): Promise<void> {
  if (await isShared(staged, file, how)) return refuseAborted(how.signal)
  await fill(staged, file.stream(), { ...how, length: file.entry.size })
}

async function isShared(staged: StagedFile, file: ShareableFile, how: Copying): Promise<boolean> {
  if (!staged.share || file.descriptor === undefined) return false
  try {
    await staged.share(file, how)
    return true
  } catch (thrown) {
    if (asAppError(thrown).code === 'unsupported') return false
    throw thrown
  }
}

/**
 * Appends a body that may break off: the bytes that arrived are kept, or with a `check` those that it confirmed; of one
 * that is too large, none are.
 * @returns the number of durable bytes whenever there are many more of them, and in the end, also of a body that fails
 * @throws incomplete_body, body_too_large, and whatever the check throws
 */
export async function* append(staged: ResumableFile, body: Readable, how: AppendOptions): AsyncGenerator<number> {
  holdErrors(body)
  const { check, most } = how
  const start = staged.size
  let reported = start
  try {
    for await (const chunk of chunksOf(body, { ...how, partial: true })) {
      if (staged.size - start + chunk.length > most) throw new AppError('body_too_large')
      await staged.append(chunk)
      check?.piece(chunk)
      if (check || staged.durable - reported < REPORT_EVERY) continue
      reported = staged.durable
      yield reported
    }
    check?.end()
    await staged.flush()
  } catch (thrown) {
    const good = goodOf(asAppError(thrown), check)
    // What has become durable counts, whatever else fails now.
    if (good !== undefined) await staged.truncate(start + good).catch(() => {})
    await staged.flush().catch(() => {})
    yield staged.durable
    throw thrown
  }
  yield staged.durable
}

/** Bytes to keep of a body that failed; `undefined` keeps all that arrived. */
function goodOf({ code }: AppError, check: ContentCheck | undefined): number | undefined {
  if (code === 'body_too_large') return 0
  return check && (check.good?.() ?? 0)
}

/**
 * Whether a file may be published in place of what exists.
 * @param version of the existing file; `undefined` if there is none
 * @throws exists (`ifAbsent`), precondition_failed (`ifMatch`)
 */
export function demandVersion(version: string | undefined, { ifAbsent, ifMatch }: PublishOptions): void {
  if (version !== undefined && ifAbsent) throw new AppError('exists')
  if (ifMatch === undefined || (version !== undefined && ifMatch === '*') || version === ifMatch) return
  throw new AppError('precondition_failed')
}

/** Limits that a body must keep. */
interface BodyRules {
  /** Announced length in bytes. */
  length?: number
  signal?: AbortSignal
  /** Whether buffered bytes count although the body fails: they are passed on before the error is thrown. */
  partial?: boolean
}

/**
 * A body chunk by chunk. The body is neither closed nor drained on failure: its owner may still want to respond on the
 * same connection. The memory of a chunk that arrived over a connection is released when the next one is requested:
 * otherwise it would wait for a full garbage collection, and cause one every few megabytes.
 * @throws incomplete_body (ended early, failed, aborted), body_too_large at the first excess byte
 */
export async function* chunksOf(
  body: Readable,
  { length, signal, partial = false }: BodyRules,
): AsyncGenerator<Buffer> {
  const isOurs = body instanceof IncomingMessage
  let received = 0
  for await (const chunk of piecesOf(body, signal, partial)) {
    received += chunk.length
    if (length !== undefined && received > length) throw new AppError('body_too_large')
    yield chunk
    if (isOurs) releaseMemory(chunk)
  }
  if (length !== undefined && received < length) throw new AppError('incomplete_body')
}

/** A chunk that is a view of a shared buffer is left alone. */
function releaseMemory({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** Keeps a body that fails before or after it is read from ending the process. */
export function holdErrors(body: Readable): void {
  body.on('error', () => {})
}

/** @throws incomplete_body, or the reason itself when it is an `AppError` */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw failed(signal.reason)
}

/**
 * Listens to events instead of using the stream's iterator, which would destroy the body on failure and could not be
 * woken by an abort while the sender stalls.
 */
async function* piecesOf(body: Readable, signal: AbortSignal | undefined, partial: boolean): AsyncGenerator<Buffer> {
  let wake = () => {}
  const ring = () => wake()
  for (const event of EVENTS) body.on(event, ring)
  signal?.addEventListener('abort', ring)
  try {
    for (;;) {
      if (partial && (signal?.aborted || body.errored)) yield* leftIn(body)
      refuseAborted(signal)
      if (body.errored) throw failed(body.errored)
      const piece: unknown = body.read()
      if (piece !== null) yield bytesOf(piece)
      else if (body.readableEnded) return
      else if (body.destroyed) throw failed(new Error('the body was closed'))
      else await new Promise<void>(resolve => (wake = resolve))
    }
  } finally {
    for (const event of EVENTS) body.off(event, ring)
    signal?.removeEventListener('abort', ring)
  }
}

/** The bytes buffered in a body now, without waiting for more. */
function* leftIn(body: Readable): Generator<Buffer> {
  for (let left = body.readableLength; left > 0; ) {
    const piece: unknown = body.read()
    if (piece === null) return
    const bytes = bytesOf(piece)
    left -= bytes.length
    yield bytes
  }
}

const EVENTS = ['readable', 'end', 'error', 'close'] as const

function bytesOf(piece: unknown): Buffer {
  if (Buffer.isBuffer(piece)) return piece
  return piece instanceof Uint8Array ? Buffer.from(piece) : Buffer.from(String(piece))
}

function failed(cause: unknown): AppError {
  return cause instanceof AppError ? cause : new AppError('incomplete_body', 'incomplete_body', { cause })
}
