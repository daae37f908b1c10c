import type { Readable } from 'node:stream'
import type { VersionReason } from '../../shared/api/versions.ts'
import { type FilePath, parentOf, ROOT } from '../../shared/path.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import {
  type AppendOptions,
  append,
  type ContentCheck,
  type Disk,
  type Entry,
  fill,
  holdErrors,
  type KeepReplaced,
  type PublishOptions,
  type StagedFile,
  type Usage,
} from '../storage/driver.ts'
import type { Changes, FilesContext, RecheckAccess } from './changes.ts'
import type { Around } from './hooks.ts'
import { demandParent } from './make-folder.ts'
import { demandSeen } from './policy.ts'
import type { Properties } from './properties.ts'
import { type Recorder, recordParents, recordWritten } from './recorder.ts'
import type { MakeRoom } from './trash-records.ts'
import type { Versions, Written } from './versions.ts'

export interface WriteRequest {
  /** Whether an existing entry may be replaced; needs the modify permission. */
  override: boolean
  /** Makes no folder for the file: without its folder it is `not_a_folder`. */
  alone?: boolean
  /** Announced bytes. */
  length?: number
  /** Replace only this version. */
  ifMatch?: string
  /**
   * Replace only if unchanged since then, in milliseconds since the epoch; compared by the second (RFC 9110 13.1.4).
   */
  unmodifiedSince?: number
  /** Modification time of the new file, in milliseconds since the epoch. */
  modified?: number
  /** POSIX permission bits of a new file. */
  mode?: number
  signal?: AbortSignal
  /** By what a file is replaced, for the list of its versions. Default: an upload. */
  reason?: VersionReason
  /** Receives the whole file before it is published, and refuses it by throwing. */
  check?: ContentCheck
}

/** What the last step of a resumable upload needs. */
export interface FinishRequest extends WriteRequest {
  length: number
}

/** Of a written file, the highest folder that was made for it. */
const MADE_FOLDER = { madeFor: ({ madeFolder }: Written) => madeFolder }

type Publication = PublishOptions & Pick<WriteRequest, 'reason'>

/** Free names for files of visitors, who must not learn which names are taken. */
export interface BesideNames {
  /** A path in a folder that does not exist. */
  unusedIn(folder: FilePath): FilePath
  /** Runs `act` with the wanted path, or the first free one like it, until nothing else took that. @throws exists */
  free<T>(wanted: FilePath, act: (path: FilePath) => Promise<T>): Promise<T>
}

export interface WriterContext extends FilesContext {
  recheck: RecheckAccess
  record: Recorder
  /** Keeps the contents that are replaced. */
  versions?: Versions
  /** Keeps what programs set on a file whose content is replaced. */
  properties?: Properties
  makeRoom: MakeRoom | undefined
  /** Where a file gets the first free name like the wanted one, for those who must not learn which are taken. */
  besides?: BesideNames | undefined
}

/** Checks whether a file may be written, now or when it is complete. @returns what exists at its path */
type Demand = (now: FilesContext) => Promise<Entry | undefined>

/**
 * Every way to write a file, the same three steps each time: stage, append, publish. Rights, rules and conditions are
 * checked before the first and, with what they are then, under the lock of the path before the last.
 */
export class Writer {
  readonly #context: WriterContext
  readonly #changes: Changes
  readonly #around: Around

  /** @param around the hooks around changes */
  constructor(context: WriterContext, changes: Changes, around: Around) {
    this.#context = context
    this.#changes = changes
    this.#around = around
  }

  /** See `Files.write`. */
  async write(path: FilePath, body: Readable, request: WriteRequest): Promise<Written> {
    this.#context.record.does(request.length === 0 && !request.override ? 'create' : 'upload')
    const demand: Demand = now => demandUpload(now, path, request)
    await this.#begin(path, body, request, demand)
    return this.#around({ name: 'upload', path }, () => this.#whole(path, body, this.#optionsOf(path, request), demand))
  }

  /** See `Files.save`. */
  async save(path: FilePath, body: Readable, request: Omit<WriteRequest, 'override'>): Promise<Written> {
    this.#context.record.does(request.reason === 'restore' ? 'revert' : 'save')
    const demand: Demand = now => demandSave(now, path)
    await this.#begin(path, body, request, demand)
    const how: Publication = { reason: 'save', ...request, ifMatch: request.ifMatch ?? '*' }
    return this.#around({ name: 'save', path }, () => this.#whole(path, body, how, demand))
  }

  /**
   * Begins a resumable upload. @returns the name for the other steps, which only its uploader knows
   * @throws forbidden, is_a_folder, exists, precondition_failed, bad_request (no length), no_space
   */
  async begin(path: FilePath, request: WriteRequest): Promise<string> {
    const { store, policy, besides } = this.#context
    const at = besides ? besides.unusedIn(parentOf(path)) : path
    if (besides) demandSeen(policy, path, 'create')
    const standing = besides ? undefined : await demandUpload(this.#context, path, request, 'is_a_folder')
    await this.#demandFree(at, standing)
    if (request.length === undefined) throw new AppError('bad_request', 'invalid upload length')
    await demandSpace(this.#context, path, request.length)
    const ifAbsent = besides !== undefined || !request.override
    const staged = await store.resumable.stage(at, { length: request.length, ifAbsent })
    await staged.close()
    return staged.name
  }

  /**
   * Appends a body to a resumable upload. @param at bytes that are kept before it
   * @returns see `append` @throws not_found, unavailable (fewer bytes are there), and what `append` throws
   */
  async *append(name: string, at: number, body: Readable, how: AppendOptions): AsyncGenerator<number> {
    holdErrors(body)
    const staged = await this.#context.store.resumable.resume(name, at)
    try {
      if (staged.size < at) throw new AppError('unavailable', 'the bytes before this part are no longer there')
      yield* append(staged, body, how)
    } finally {
      await staged.close()
    }
  }

  /**
   * Publishes a complete resumable upload.
   * @throws as `Files.write`, not_found, and what the check throws; the file then stays staged
   */
  finish(path: FilePath, name: string, request: FinishRequest): Promise<Written> {
    const { besides } = this.#context
    return besides ? besides.free(path, free => this.#finish(free, name, request)) : this.#finish(path, name, request)
  }

  async #finish(path: FilePath, name: string, request: FinishRequest): Promise<Written> {
    this.#context.record.does('upload')
    const demand: Demand = now => demandUpload(now, path, request)
    const finish = async () => {
      const staged = await this.#context.store.resumable.resume(name, request.length)
      try {
        for await (const bytes of request.check ? staged.read() : []) request.check?.piece(bytes)
        request.check?.end()
        return await this.#publish(path, staged, this.#optionsOf(path, request), demand)
      } finally {
        await staged.close()
      }
    }
    return this.#around({ name: 'upload', path }, finish, async () => void (await demand(this.#context)))
  }

  /** Removes an unfinished file. */
  discard(name: string): Promise<void> {
    return this.#context.store.resumable.discard(name)
  }

  async #begin(path: FilePath, body: Readable, { length }: { length?: number }, demand: Demand): Promise<void> {
    holdErrors(body)
    if (path === ROOT) throw new AppError('forbidden')
    await this.#demandFree(path, await demand(this.#context))
    if (length !== undefined) await demandSpace(this.#context, path, length)
  }

  async #whole(
    path: FilePath,
    body: Readable,
    how: Publication & Pick<WriteRequest, 'signal' | 'check'>,
    demand: Demand,
  ): Promise<Written> {
    const staged = await this.#context.store.stage(path, how)
    try {
      await fill(staged, body, how)
      return await this.#publish(path, staged, how, demand)
    } finally {
      await staged.close()
    }
  }

  async #publish(path: FilePath, staged: StagedFile, how: Publication, demand: Demand): Promise<Written> {
    const { reason = 'upload', ...options } = how
    const { record, versions } = this.#context
    const { standing, entry } = await this.#changes.withLock(path, async () => {
      const standing = await this.#context.recheck.rights(this.#context, demand)
      await this.#demandFree(path, standing)
      const publish = (keep?: KeepReplaced) => staged.publish(path, { ...options, ...(keep && { keep }) })
      const replaces = versions && !options.ifAbsent
      const act = () =>
        replaces ? versions.keeping(path, { reason, standing, size: staged.size }, publish) : publish()
      return { standing, entry: await (standing ? act() : recordParents(this.#context, path, act, MADE_FOLDER)) }
    })
    await this.#context.properties?.replaced(standing, entry)
    recordWritten(record, standing, entry)
    this.#changes.notify(path, standing ? 'replaced' : 'created')
    return entry
  }

  /** @throws locked */
  #demandFree(path: FilePath, standing: Entry | undefined): Promise<void> {
    return this.#changes.demandFree(path, standing ? 'content' : 'name')
  }

  #optionsOf(path: FilePath, { override, alone: _alone, unmodifiedSince: _, ...how }: WriteRequest) {
    return { ...how, ifAbsent: !(override && this.#context.policy.may('replace', path)) }
  }
}

/**
 * Checks whether an upload to a path may begin, and end.
 * @param folder the code for a path that is a folder
 * @throws forbidden, outside_scope, special_file, exists, precondition_failed, not_a_folder
 */
async function demandUpload(
  { store, policy }: FilesContext,
  path: FilePath,
  { override, alone, ifMatch, unmodifiedSince }: WriteRequest,
  folder: ErrorCode = 'exists',
): Promise<Entry | undefined> {
  demandSeen(policy, path, 'create')
  const standing = await store.stat(path)
  if (ifMatch !== undefined && !standing) throw new AppError('precondition_failed')
  if (!standing && alone) await demandParent(store, path)
  if (!standing) return undefined
  if (standing.kind === 'link') throw new AppError('outside_scope')
  if (standing.kind === 'special') throw new AppError('special_file')
  if (standing.kind === 'folder') throw new AppError(folder)
  if (!override) throw new AppError('exists')
  policy.demand('replace', path)
  const isOther = ifMatch !== undefined && standing.version !== ifMatch
  const isNewer = unmodifiedSince !== undefined && seconds(standing.modified) > seconds(unmodifiedSince)
  if (isOther || isNewer) throw new AppError('precondition_failed')
  return standing
}

/** @throws forbidden, not_found, is_a_folder, outside_scope unless the content of a file may be replaced */
async function demandSave({ store, policy }: FilesContext, path: FilePath): Promise<Entry> {
  demandSeen(policy, path, 'replace')
  const standing = await store.stat(path)
  if (!standing) throw new AppError('not_found')
  if (standing.kind === 'link') throw new AppError('outside_scope')
  if (standing.kind === 'folder') throw new AppError('is_a_folder')
  return standing
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/**
 * Refuses a body that cannot fit before its first byte is read. Kept things give way first, if that suffices.
 * @throws no_space
 */
async function demandSpace(
  { store: { disk }, makeRoom }: Pick<WriterContext, 'store' | 'makeRoom'>,
  path: FilePath,
  bytes: number,
): Promise<void> {
  if (!disk) return
  const place = parentOf(path)
  const lacks = ({ total, used }: Usage) => total > 0 && bytes > total - used
  const usage = await usageAbove(disk, place)
  if (!lacks(usage)) return
  await makeRoom?.({ place, bytes, total: usage.total })
  if (!makeRoom || lacks(await usageAbove(disk, place))) throw new AppError('no_space')
}

/** Of the nearest existing folder. */
async function usageAbove(disk: Disk, path: FilePath): Promise<Usage> {
  for (let folder = path; ; folder = parentOf(folder)) {
    try {
      return await disk.usage(folder)
    } catch (thrown) {
      const isMissing = thrown instanceof AppError && ['not_found', 'not_a_folder'].includes(thrown.code)
      if (folder === ROOT || !isMissing) throw thrown
    }
  }
}
