import type { Readable } from 'node:stream'
import type { FilePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { AppendOptions, Entry, Staging } from '../storage/driver.ts'
import type { Changes, Publishing } from './changes.ts'
import { demandSpace } from './free-space.ts'
import type { Around } from './hooks.ts'
import { demandSeen } from './policy.ts'
import type { FilesContext } from './recheck-access.ts'
import { demandUpload, type FinishRequest, finishOptions, type WriteRequest, writeOptions } from './writing.ts'

/** The resumable uploads of one user; a part of `Files`, with the same checks. */
export class StagedUploads {
  readonly #context: FilesContext
  readonly #changes: Changes
  readonly #around: Around

  /** @param around the hooks around changes */
  constructor(context: FilesContext, changes: Changes, around: Around) {
    this.#context = context
    this.#changes = changes
    this.#around = around
  }

  /** Checks whether an upload to a path may begin. @throws forbidden, is_a_folder, exists, precondition_failed */
  async demand(path: FilePath, request: WriteRequest): Promise<void> {
    await demandUpload(this.#context, path, request)
  }

  /** Begins a file. @returns its staging name @throws no_space, as `demand` */
  async begin(path: FilePath, request: WriteRequest): Promise<string> {
    await this.demand(path, request)
    await demandSpace(this.#context.store, path, request.length)
    return this.#staging().open(path)
  }

  /** Appends a chunk to an unfinished file; see `Staging.append`. @throws forbidden */
  async add(path: FilePath, staged: string, at: number, body: Readable, how: AppendOptions): Promise<void> {
    demandSeen(this.#context.policy, path, 'create')
    await this.#staging().append(staged, at, body, how)
  }

  /**
   * Publishes a complete file. Rights, rules and conditions are checked again: they may have changed.
   * @throws not_found, exists, forbidden, precondition_failed, and what the check throws; the file then stays staged
   */
  async finish(path: FilePath, staged: string, request: FinishRequest): Promise<Entry> {
    await this.demand(path, request)
    const how = { ...writeOptions(request, this.#context.policy.may('replace')), ...finishOptions(request) }
    const mayStill = (now: FilesContext) => demandUpload(now, path, request)
    const write: Publishing = publish => this.#staging().publish(staged, path, { ...how, publish })
    return this.#around({ name: 'upload', path }, () => this.#changes.publishing(path, request, mayStill, write))
  }

  /** Removes an unfinished file, which only its uploader knows of. */
  async discard(staged: string): Promise<void> {
    await this.#staging().discard(staged)
  }

  #staging(): Staging {
    const { staging } = this.#context.store
    if (!staging) throw new AppError('unsupported')
    return staging
  }
}
