import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { User } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db, UploadsTable } from '../../db/schema.ts'
import { AppError, asAppError, type ErrorCode } from '../../errors.ts'
import type { Files, WriteRequest } from '../../files/files.ts'
import type { FilesService } from '../../files/service.ts'
import type { ContentCheck } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { checksumOf } from './checksum.ts'
import { UploadWriters } from './upload-writers.ts'
import {
  advanceUpload,
  countUploads,
  deleteUpload,
  findExpiredUploads,
  findUpload,
  findUploadById,
  insertUpload,
} from './uploads.store.ts'

/** Milliseconds an upload waits for its next chunk. */
export const UPLOAD_LIFETIME = LIMITS.uploadLifetime
/** Unfinished uploads of one user. */
export const MAX_UPLOADS = LIMITS.openUploads
/** Failures after which the upload no longer exists: it is gone, or published. */
const ENDED: ReadonlySet<ErrorCode> = new Set(['not_found', 'hook_failed'])
export interface UploadsDeps {
  files: FilesService
  db: Db
  cluster: Cluster
  /** Milliseconds since the epoch. */
  now?: () => number
}

/** The state of an upload as sent to its client. */
export interface UploadState {
  offset: number
  length: number
  /** Milliseconds since the epoch; absent once the file is published. */
  expiresAt?: number
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
export interface NewUpload extends Pick<WriteRequest, 'override' | 'ifMatch' | 'unmodifiedSince' | 'modified'> {
  /** The checksum of the whole file, as in `Upload-Checksum`. */
  checksum?: string
}

/**
 * Resumable uploads (http-api 4, tus 1.0): a row for each, and a hidden unfinished file. The row's offset never exceeds
 * what is durable on the disk, so it is true after any crash. An upload is identified by its user and path.
 */
export class Uploads {
  readonly #deps: UploadsDeps
  readonly #now: () => number
  readonly #writers: UploadWriters

  constructor(deps: UploadsDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
    this.#writers = new UploadWriters(deps.cluster)
  }

  /** @throws forbidden, is_a_folder, exists, precondition_failed */
  async demand(user: User, path: FilePath, request: NewUpload): Promise<void> {
    const own = await this.#deps.files.for(user)
    await own.pieces.demand(path, request)
  }

  /**
   * Begins an upload; an earlier one to the same path is cancelled. An empty one is complete at once.
   * @throws exists (the path exists, or is being uploaded right now), too_many_attempts, no_space
   */
  async create(user: User, path: FilePath, length: number, request: NewUpload): Promise<UploadState> {
    const own = await this.#deps.files.for(user)
    const options = { ...request, length }
    if (length === 0) {
      if (request.checksum !== undefined) checksumOf(request.checksum).end()
      await own.write(path, Readable.from([]), options)
      return { offset: 0, length: 0 }
    }
    return this.#deps.cluster.lock(`upload:${user.id}:${path}`, async () => {
      await this.#giveUp(user, path)
      if ((await countUploads(this.#deps.db, user.id)) >= MAX_UPLOADS) throw new AppError('too_many_attempts')
      const staged = await own.pieces.begin(path, options)
      const upload = this.#rowFor(user, path, staged, options)
      await insertUpload(this.#deps.db, upload).catch(async thrown => {
        await own.pieces.discard(staged)
        throw thrown
      })
      return stateOf(upload)
    })
  }

  /**
   * The state of an upload, for a client that resumes it: a chunk still being received is awaited, or aborted. A
   * complete upload that could not be published is tried again. @throws not_found
   */
  async state(user: User, path: FilePath): Promise<UploadState> {
    const own = await this.#permitted(user, path)
    const upload = await this.#find(user, path)
    await this.#writers.release(upload.id, true)
    return this.#locked(
      upload,
      async current => {
        if (current.offset === current.length) return this.#finish(own, current)
        await advanceUpload(this.#deps.db, current.id, current.offset, this.#now() + UPLOAD_LIFETIME)
        return { ...stateOf(current), expiresAt: this.#now() + UPLOAD_LIFETIME }
      },
      'not_found',
    )
  }

  /**
   * Appends a chunk; the last one publishes the file.
   * @throws not_found, wrong_offset, bad_request (an offset beyond the end), body_too_large, checksum_mismatch, and
   *   what prevents the publication
   */
  async append(user: User, path: FilePath, chunk: Chunk): Promise<UploadState> {
    const own = await this.#permitted(user, path)
    const upload = await this.#find(user, path)
    if (chunk.offset > upload.length) throw new AppError('bad_request', 'offset beyond the end of the upload')
    if (!(await this.#writers.release(upload.id))) throw new AppError('wrong_offset')
    return this.#locked(upload, async current => {
      if (chunk.offset !== current.offset) throw new AppError('wrong_offset')
      await this.#add(own, current, chunk)
      const now = await findUploadById(this.#deps.db, current.id)
      if (!now) throw new AppError('not_found')
      return now.offset === now.length ? this.#finish(own, now) : stateOf(now)
    })
  }

  /** Cancels an upload; the file it would have replaced stays. @throws not_found */
  async cancel(user: User, path: FilePath): Promise<void> {
    await this.#permitted(user, path)
    const upload = await this.#find(user, path)
    await this.#writers.release(upload.id)
    await this.#locked(upload, current => this.#drop(current))
  }

  /** @throws forbidden unless the user may create a file at the path */
  async permit(user: User, path: FilePath): Promise<void> {
    await this.#permitted(user, path)
  }

  async #add(own: Files, upload: UploadsTable, chunk: Chunk): Promise<void> {
    const most = upload.length - upload.offset
    if (chunk.length !== undefined && chunk.length > most) throw new AppError('body_too_large')
    const kept = (size: number) => advanceUpload(this.#deps.db, upload.id, size, this.#now() + UPLOAD_LIFETIME)
    await this.#writers.hold(upload.id, chunk.received, signal =>
      own.pieces.add(upload.path as FilePath, upload.staged, upload.offset, chunk.body, {
        most,
        kept,
        signal: AbortSignal.any([signal, chunk.signal]),
        ...(chunk.length === undefined ? {} : { length: chunk.length }),
        ...(chunk.check ? { check: chunk.check } : {}),
      }),
    )
  }

  async #finish(own: Files, upload: UploadsTable): Promise<UploadState> {
    const { length } = upload
    try {
      const check = upload.checksum === null ? {} : { check: checksumOf(upload.checksum) }
      await own.pieces.finish(upload.path as FilePath, upload.staged, { ...requestOf(upload), ...check })
    } catch (thrown) {
      const { code } = asAppError(thrown)
      if (ENDED.has(code)) await deleteUpload(this.#deps.db, upload.id)
      // It is unknown which of its bytes are wrong.
      if (code === 'checksum_mismatch') await this.#drop(upload)
      throw thrown
    }
    await deleteUpload(this.#deps.db, upload.id)
    return { offset: length, length }
  }

  /** The user's files, if they may create a file at the path. @throws forbidden */
  async #permitted(user: User, path: FilePath): Promise<Files> {
    const own = await this.#deps.files.for(user)
    own.demandCreate(path)
    return own
  }

  async #find(user: User, path: FilePath): Promise<UploadsTable> {
    const upload = await findUpload(this.#deps.db, user.id, path)
    if (!upload || upload.scope !== user.scope || upload.expires_at <= this.#now()) throw new AppError('not_found')
    return upload
  }

  /**
   * Runs `act` under the lock, with the upload as it is then. @param gone thrown when it was completed or cancelled in
   * the meantime
   */
  #locked<T>(
    { id }: UploadsTable,
    act: (current: UploadsTable) => Promise<T>,
    gone: ErrorCode = 'wrong_offset',
  ): Promise<T> {
    return this.#deps.cluster.lock(`upload:${id}`, async () => {
      const current = await findUploadById(this.#deps.db, id)
      if (!current) throw new AppError(gone)
      return act(current)
    })
  }

  async #giveUp(user: User, path: FilePath): Promise<void> {
    const earlier = await findUpload(this.#deps.db, user.id, path)
    if (!earlier) return
    if (!(await this.#writers.release(earlier.id))) throw new AppError('exists')
    await this.#locked(earlier, current => this.#drop(current))
  }

  /**
   * Removes the unfinished file and its row. The file is looked up where the upload began, whatever the user's scope is
   * now.
   */
  async #drop(upload: UploadsTable): Promise<void> {
    const nobody = { scope: upload.scope, perm: NO_PERMISSIONS, rules: [], hideDotfiles: false }
    try {
      const place = await this.#deps.files.for(nobody)
      await place.pieces.discard(upload.staged)
    } catch (thrown) {
      if (asAppError(thrown).code !== 'not_found') throw thrown
    }
    await deleteUpload(this.#deps.db, upload.id)
  }

  /** Removes expired uploads; failures are retried at the next sweep. */
  async sweep(): Promise<void> {
    const now = this.#now()
    for (const expired of await findExpiredUploads(this.#deps.db, now)) {
      await this.#locked(expired, async current => {
        if (current.expires_at <= now) await this.#drop(current)
      }).catch(() => {})
    }
  }

  #rowFor(user: User, path: FilePath, staged: string, request: NewUpload & { length: number }): UploadsTable {
    return {
      id: randomBytes(16).toString('base64url'),
      user_id: user.id,
      scope: user.scope,
      path,
      staged,
      length: request.length,
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
