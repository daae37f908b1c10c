import { Readable } from 'node:stream'
import type { ResolveAct } from '../../shared/api/jobs.ts'
import type { FilePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Entry, OpenFile } from '../storage/driver.ts'
import type { Changes, FilesContext } from './changes.ts'
import { sameBytes, sameContent } from './compare-content.ts'
import { demandSeen } from './policy.ts'
import type { Trash } from './trash.ts'
import type { Versions } from './versions.ts'

export interface DuplicatesDeps {
  context: FilesContext
  changes: Changes
  versions: Versions
  /** Removes a file as `Files.remove` does, with its hooks. */
  remove(path: FilePath, how: { only: string } & Parameters<Trash['remove']>[1]): Promise<string | undefined>
}

/** A duplicate, and the file with the same content that stays. */
interface Pair {
  duplicate: Entry
  kept: Entry
}

/** Gives back the room of files that have the same content as another one. */
export class Duplicates {
  readonly #deps: DuplicatesDeps

  constructor(deps: DuplicatesDeps) {
    this.#deps = deps
  }

  /** @throws forbidden unless permissions and rules allow it */
  demand(path: FilePath, to: FilePath, act: ResolveAct): void {
    const { policy } = this.#deps.context
    demandSeen(policy, to, 'read')
    demandSeen(policy, path, 'read')
    demandSeen(policy, path, act === 'trash' ? 'remove' : 'replace')
  }

  /**
   * Compares a file with the one that stays, byte by byte, and acts only if nothing differs.
   * @returns the id of the thing in the trash, for `trash`; nothing is ever deleted for good
   * @throws forbidden, not_found, changed_since for another content, no_trash, unsupported where the disk cannot do it
   */
  async resolve(path: FilePath, to: FilePath, act: ResolveAct): Promise<{ kept?: string; done: boolean }> {
    this.demand(path, to, act)
    const { changes } = this.#deps
    // A deletion takes the lock of its path itself. Of two opposite ones both end in the trash.
    if (act === 'trash') return this.#toTrash(await this.#pair(path, to))
    // Always in the same order, or two opposite calls would deadlock.
    const [first, second] = path < to ? [path, to] : [to, path]
    const touch = (at: FilePath) => (at === path ? 'content' : 'keeps')
    return changes.locked(first, touch(first), () =>
      changes.locked(second, touch(second), async () => {
        const pair = await this.#pair(path, to)
        if (pair.duplicate.identity === pair.kept.identity) return { done: false }
        await (act === 'link' ? this.#link(pair) : this.#share(pair))
        await this.#deps.versions.moved(path, path, pair.duplicate.identity)
        changes.notify(path, 'replaced')
        return { done: true }
      }),
    )
  }

  async #pair(path: FilePath, to: FilePath): Promise<Pair> {
    if (path === to) throw new AppError('bad_request')
    const [duplicate, kept] = [await this.#file(path), await this.#file(to)]
    if (duplicate.size !== kept.size) throw new AppError('changed_since')
    return { duplicate, kept }
  }

  async #file(path: FilePath): Promise<Entry> {
    const entry = await this.#deps.context.store.stat(path)
    if (!entry) throw new AppError('not_found')
    if (entry.kind !== 'file' || entry.isLink) throw new AppError('changed_since')
    return entry
  }

  async #toTrash({ duplicate, kept }: Pair) {
    await this.#demandSame({ duplicate, kept })
    const id = await this.#deps.remove(duplicate.path, { only: duplicate.identity, trash: 'only' })
    return { done: true, ...(id !== undefined && { kept: id }) }
  }

  async #link(pair: Pair): Promise<void> {
    const { disk } = this.#deps.context.store
    if (!disk) throw new AppError('unsupported')
    await this.#demandSame(pair)
    const { duplicate, kept } = pair
    await disk.linkOver(duplicate.path, { to: kept.path, identity: kept.identity, ifMatch: duplicate.version })
  }

  /** The content that is compared is the one that is published. */
  async #share({ duplicate, kept }: Pair): Promise<void> {
    const { store } = this.#deps.context
    const staged = await store.stage(duplicate.path)
    const files: OpenFile[] = []
    try {
      if (!staged.share) throw new AppError('unsupported')
      for (const { path } of [kept, duplicate]) files.push(await store.read(path))
      const [source, own] = files
      if (!source || !own) return
      const shared = Readable.from(await staged.share(source), { objectMode: false })
      const isSame = own.entry.version === duplicate.version && (await sameBytes(shared, own.stream()))
      if (!isSame) throw new AppError('changed_since')
      await staged.publish(duplicate.path, { ifMatch: duplicate.version, modified: duplicate.modified })
    } finally {
      for (const file of files) await file.close()
      await staged.close()
    }
  }

  /** @throws changed_since when the contents differ, or one of the files was changed while they were compared */
  async #demandSame({ duplicate, kept }: Pair): Promise<void> {
    const { store } = this.#deps.context
    if (!(await sameContent(store, duplicate, kept))) throw new AppError('changed_since')
    const [now, then] = [await this.#file(duplicate.path), await this.#file(kept.path)]
    if (now.version !== duplicate.version || then.version !== kept.version) throw new AppError('changed_since')
  }
}
