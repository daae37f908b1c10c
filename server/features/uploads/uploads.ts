import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { User } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db, UploadsTable } from '../../db/schema.ts'
import { AppError, asAppError, type ErrorCode } from '../../errors.ts'
import { checksumOf } from '../../files/content-checksum.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { ContentCheck, Entry } from '../../files/types.ts'
import type { WriteRequest, Writer } from '../../files/writing.ts'
import { LIMITS } from '../../limits.ts'
import { sha256In } from './checksum.ts'
import { UploadHolders } from './upload-holders.ts'
import { type Delivery, findRow, isDelivery, keyOf, keyOfRow, type UploadKey, type UploadTools } from './upload-key.ts'
import {
  advanceUpload,
  countUploads,
  deleteUpload,
  findExpiredUploads,
  findUploadById,
  insertUpload,
} from './uploads.store.ts'

/** Milliseconds an upload waits for its next chunk. */
export const UPLOAD_LIFETIME = LIMITS.uploadLifetime
/** Unfinished uploads of one user. */
export const MAX_UPLOADS = LIMITS.openUploads
/** Failures after which the upload no longer exists: it is gone, or published. */
const ENDED: ReadonlySet<ErrorCode> = new Set(['not_found', 'hook_failed'])

/** What becomes of the files of visitors. Both may be called again for the same one. */
export interface Deliveries {
  /** @param file nothing where its name is unknown */
  arrived(id: string, file: Pick<Entry, 'path' | 'name'> | undefined): Promise<void>
  /** It was cancelled, has expired, or is lost. */
  gone(id: string): Promise<void>
}

export interface UploadsDeps {
  files: FilesService
  db: Db
  cluster: Cluster
  deliveries: Deliveries
  /** Milliseconds since the epoch. */
  now?: () => number
}

/** The state of an upload as sent to its client. */
export interface UploadState {
  offset: number
  length: number
  /** Milliseconds since the epoch; absent once the file is published. */
  expiresAt?: number
  /** See `Written.kept`; of a published file. */
  kept?: string
  /** Of a published file, in the scope of its user. */
  path?: FilePath
}

/** One chunk of an upload. */
export interface Chunk {
  offset: number
  body: Readable
  /** Announced bytes of the chunk. */
  length?: number
  check?: ContentCheck
  signal: AbortSignal
  /** Bytes received on the connection so far, to distinguish a busy sender from one that is gone. */
  received: () => number
}

/** What may be replaced, the file's modification time, and its checksum. */
export interface NewUpload
  extends Pick<WriteRequest, 'override' | 'length' | 'ifMatch' | 'unmodifiedSince' | 'modified'> {
  /** The checksum of the whole file, as in `Upload-Checksum`. */
  checksum?: string
}

/**
 * Resumable uploads (http-api 4, tus 1.0): a row for each, and a hidden unfinished file. The row's offset never exceeds
 * what is durable on the disk, so it is true after any crash. An upload of a user is identified by its path, one of a
 * visitor by its id (`UploadKey`).
 */
export class Uploads {
  readonly #deps: UploadsDeps
  readonly #now: () => number
  readonly #holders: UploadHolders

  constructor(deps: UploadsDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#holders = new UploadHolders(deps.cluster)
  }

  /**
   * Begins an upload; an earlier one to the same path is cancelled. An empty one is complete at once.
   * @throws forbidden, is_a_folder, exists (the path exists, or is being uploaded right now), precondition_failed,
   *   bad_request without a length, too_many_attempts, no_space
   */
  create(user: User, path: FilePath, request: NewUpload): Promise<UploadState> {
    return this.#create({ user, path }, path, request)
  }

  /** Begins an upload of a visitor, to a path that may be taken. @throws as `create` */
  deliver(delivery: Delivery, path: FilePath, request: NewUpload): Promise<UploadState> {
    return this.#create(delivery, path, request)
  }

  async #create(key: UploadKey, path: FilePath, request: NewUpload): Promise<UploadState> {
    const tools = isDelivery(key) ? key.tools : await this.#deps.files.for(key.user)
    const staged = await tools.writer.begin(path, request)
    try {
      if (!(await this.#holders.release(keyOf(key)))) throw new AppError('exists')
      return await this.#deps.cluster.lock(keyOf(key), async () => {
        const earlier = await findRow(this.#deps.db, key)
        if (earlier) await this.#drop(earlier)
        await this.#demandRoom(key)
        const upload = this.#rowFor(key, path, staged, request)
        if (upload.length === 0) return this.#finish(tools, upload)
        await insertUpload(this.#deps.db, upload)
        return stateOf(upload)
      })
    } catch (thrown) {
      await tools.writer.discard(staged)
      throw thrown
    }
  }

  /** @throws too_many_attempts */
  async #demandRoom(key: UploadKey): Promise<void> {
    const isFull = isDelivery(key)
      ? (await countUploads(this.#deps.db, { link: key.link })) >= LIMITS.openDeliveries
      : (await countUploads(this.#deps.db, { userId: key.user.id })) >= MAX_UPLOADS
    if (isFull) throw new AppError('too_many_attempts')
  }

  /**
   * The state of an upload, for a client that resumes it: a chunk still being received is awaited, or aborted. A
   * complete upload that could not be published is tried again. @throws forbidden, not_found
   */
  async state(key: UploadKey): Promise<UploadState> {
    const tools = await this.#permitted(key)
    await this.#holders.release(keyOf(key), true)
    return this.#locked(
      key,
      async upload => {
        if (upload.offset === upload.length) return this.#finish(tools, upload)
        return stateOf(await this.#advance(upload, upload.offset))
      },
      'not_found',
    )
  }

  /**
   * Appends a chunk; the last one publishes the file.
   * @param chunk called for a user who may upload to the path
   * @throws forbidden, not_found, wrong_offset, bad_request (an offset beyond the end), body_too_large,
   *   checksum_mismatch, and what prevents the publication
   */
  async append(key: UploadKey, chunk: () => Chunk): Promise<UploadState> {
    const tools = await this.#permitted(key)
    const { offset, ...arriving } = chunk()
    if (!(await this.#holders.release(keyOf(key)))) throw new AppError('wrong_offset')
    return this.#locked(key, async upload => {
      if (offset > upload.length) throw new AppError('bad_request', 'offset beyond the end of the upload')
      if (offset !== upload.offset) throw new AppError('wrong_offset')
      const now = await this.#add(tools.writer, upload, arriving)
      return now.offset === now.length ? this.#finish(tools, now) : stateOf(now)
    })
  }

  /** Cancels an upload; the file it would have replaced stays. @throws forbidden, not_found */
  async cancel(key: UploadKey): Promise<void> {
    await this.#permitted(key)
    await this.#holders.release(keyOf(key))
    await this.#locked(key, upload => this.#drop(upload))
  }

  async #add(writer: Writer, upload: UploadsTable, { body, received, ...how }: Omit<Chunk, 'offset'>) {
    const most = upload.length - upload.offset
    if (how.length !== undefined && how.length > most) throw new AppError('body_too_large')
    let now = upload
    await this.#holders.hold(keyOfRow(upload), received, async stop => {
      const signal = AbortSignal.any([stop, how.signal])
      const growing = writer.append(upload.staged, upload.offset, body, { ...how, most, signal })
      for await (const durable of growing) now = await this.#advance(now, durable)
    })
    return now
  }

  /** Records how many bytes are durable, and that the upload is alive. */
  async #advance(upload: UploadsTable, offset: number): Promise<UploadsTable> {
    const now = { ...upload, offset, expires_at: this.#now() + UPLOAD_LIFETIME }
    await advanceUpload(this.#deps.db, now)
    return now
  }

  async #finish({ writer, checksums }: UploadTools, upload: UploadsTable): Promise<UploadState> {
    const { length, checksum } = upload
    const check = checksum === null ? {} : { check: checksumOf(checksum) }
    const request = { ...requestOf(upload), ...check }
    const done = await writer
      .finish(upload.path as FilePath, upload.staged, request)
      .catch(thrown => this.#failed(writer, upload, thrown))
    const sha256 = checksum === null ? undefined : sha256In(checksum)
    if (sha256 !== undefined) await checksums.arrived(done, sha256).catch(() => {})
    if (upload.link !== null) await this.#deps.deliveries.arrived(upload.id, done)
    await deleteUpload(this.#deps.db, upload.id)
    return { offset: length, length, path: done.path, ...(done.kept !== undefined && { kept: done.kept }) }
  }

  /** Ends an upload that cannot be published later. @throws what prevented its publication */
  async #failed(writer: Writer, upload: UploadsTable, thrown: unknown): Promise<never> {
    const { code } = asAppError(thrown)
    if (ENDED.has(code)) {
      if (upload.link !== null && code === 'hook_failed') await this.#deps.deliveries.arrived(upload.id, undefined)
      else if (upload.link !== null) await this.#deps.deliveries.gone(upload.id)
      await writer.discard(upload.staged).catch(() => {})
      await deleteUpload(this.#deps.db, upload.id)
    }
    // It is unknown which of its bytes are wrong.
    if (code === 'checksum_mismatch') await this.#drop(upload)
    throw thrown
  }

  /** @throws forbidden unless the user may create a file at the path */
  async #permitted(key: UploadKey): Promise<UploadTools> {
    if (isDelivery(key)) return key.tools
    const own = await this.#deps.files.for(key.user)
    own.demandCreate(key.path)
    return own
  }

  /**
   * Runs `act` alone with an upload.
   * @param gone thrown when it was completed or cancelled while this request waited
   * @throws not_found
   */
  #locked<T>(key: UploadKey, act: (upload: UploadsTable) => Promise<T>, gone: ErrorCode = 'wrong_offset'): Promise<T> {
    return this.#deps.cluster.lock(keyOf(key), async waited => {
      const upload = await findRow(this.#deps.db, key)
      if (!upload) throw new AppError(waited ? gone : 'not_found')
      if (upload.scope !== key.user.scope || upload.expires_at <= this.#now()) throw new AppError('not_found')
      return act(upload)
    })
  }

  /**
   * Removes the unfinished file and its row. The file is looked up where the upload began, whatever the user's scope is
   * now.
   */
  async #drop(upload: UploadsTable): Promise<void> {
    const nobody = { scope: upload.scope, perm: NO_PERMISSIONS, rules: [], hideDotfiles: false }
    try {
      const { writer } = await this.#deps.files.for(nobody)
      await writer.discard(upload.staged)
    } catch (thrown) {
      if (asAppError(thrown).code !== 'not_found') throw thrown
    }
    if (upload.link !== null) await this.#deps.deliveries.gone(upload.id)
    await deleteUpload(this.#deps.db, upload.id)
  }

  /** Removes expired uploads; failures are retried at the next sweep. */
  async sweep(): Promise<void> {
    const now = this.#now()
    for (const expired of await findExpiredUploads(this.#deps.db, now)) {
      await this.#deps.cluster
        .lock(keyOfRow(expired), async () => {
          const upload = await findUploadById(this.#deps.db, expired.id)
          if (upload && upload.expires_at <= now) await this.#drop(upload)
        })
        .catch(() => {})
    }
  }

  #rowFor(key: UploadKey, path: FilePath, staged: string, request: NewUpload): UploadsTable {
    const { user } = key
    return {
      ...(isDelivery(key) ? { id: key.id, link: key.link } : { id: randomBytes(16).toString('base64url'), link: null }),
      user_id: user.id,
      scope: user.scope,
      path,
      staged,
      length: request.length ?? 0,
      offset: 0,
      override: request.override ? 1 : 0,
      if_match: request.ifMatch ?? null,
      modified: request.modified ?? null,
      checksum: request.checksum ?? null,
      unmodified_since: request.unmodifiedSince ?? null,
      created_at: this.#now(),
      expires_at: this.#now() + UPLOAD_LIFETIME,
    }
  }
}

function requestOf(upload: UploadsTable): NewUpload & { length: number } {
  const { length, override, if_match: ifMatch, modified, unmodified_since: unmodifiedSince } = upload
  return {
    length,
    override: override === 1,
    ...(ifMatch === null ? {} : { ifMatch }),
    ...(modified === null ? {} : { modified }),
    ...(unmodifiedSince === null ? {} : { unmodifiedSince }),
  }
}

function stateOf({ offset, length, expires_at }: UploadsTable): UploadState {
  return { offset, length, expiresAt: expires_at }
}
