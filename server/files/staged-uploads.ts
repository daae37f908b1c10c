import type { Readable } from 'node:stream'
import type { FilePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { AppendOptions, Entry, Staging } from '../storage/driver.ts'
import type { Changes, Publishing } from './changes.ts'
import { demandSpace } from './free-space.ts'
import type { Around } from './hooks.ts'
import { demandSeen } from './policy.ts'
import type { Ground } from './recheck-access.ts'
import { demandUpload, type FinishRequest, finishOptions, type WriteRequest, writeOptions } from './writing.ts'

/** The files of one user that arrive in pieces; a part of `Files`, with the same checks. */
export class Pieces {
  readonly #ground: Ground
  readonly #changes: Changes
  readonly #around: Around

  /** @param around what is hooked to changes */
  constructor(ground: Ground, changes: Changes, around: Around) {
    this.#ground = ground
    this.#changes = changes
    this.#around = around
  }

  /** Says whether an upload to a path may begin. @throws forbidden, is_a_folder, exists, precondition_failed */
  async demand(path: FilePath, request: WriteRequest): Promise<void> {
    await demandUpload(this.#ground, path, request)
  }

  /** Begins a file. @returns its name in the storage @throws no_space, as `demand` */
  async begin(path: FilePath, request: WriteRequest): Promise<string> {
    await this.demand(path, request)
    await demandSpace(this.#ground.store, path, request.length)
    return this.#staging().open(path)
  }

  /** Adds a piece to an unfinished file; see `Staging.append`. @throws forbidden */
  async add(path: FilePath, staged: string, at: number, body: Readable, how: AppendOptions): Promise<void> {
    demandSeen(this.#ground.policy, path, 'create')
    await this.#staging().append(staged, at, body, how)
  }

  /**
   * Gives a file that has arrived its place. Rights, rules and conditions are looked at again: they may have changed.
   * @throws not_found, exists, forbidden, precondition_failed, and what the check throws; the file then goes on waiting
   */
  async finish(path: FilePath, staged: string, request: FinishRequest): Promise<Entry> {
    await this.demand(path, request)
    const how = { ...writeOptions(request, this.#ground.policy.may('replace')), ...finishOptions(request) }
    const mayStill = (now: Ground) => demandUpload(now, path, request)
    const write: Publishing = publish => this.#staging().publish(staged, path, { ...how, publish })
    return this.#around({ name: 'upload', path }, () => this.#changes.publishing(path, request, mayStill, write))
  }

  /** Removes an unfinished file, which nobody but its uploader knows of. */
  async discard(staged: string): Promise<void> {
    await this.#staging().discard(staged)
  }

  #staging(): Staging {
    const { staging } = this.#ground.store
    if (!staging) throw new AppError('unsupported')
    return staging
  }
}
