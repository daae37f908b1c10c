import { type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT, trustedChild } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Entry, RemoveOptions, StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'
import { carrying } from './carry.ts'
import { stampOf } from './change-records.ts'
import type { Changes } from './changes.ts'
import type { Collision } from './conflicts.ts'
import { emptyInnerAreas } from './inner-areas.ts'
import { demandObject, type KeepOptions, keepEntry } from './keep-entry.ts'
import { demandWholeKept, keptOf, unknownIfUnavailable } from './kept-store.ts'
import { demandRemovable, removeForGood } from './move.ts'
import { goalOf } from './place-now.ts'
import type { Places } from './places.ts'
import { asAt, demandSeen, readingPolicy } from './policy.ts'
import { type RestoreRequest, restoreInto } from './restore.ts'
import { type RestoreOrder, restoreCollisions } from './restore-conflicts.ts'
import { demandMayLeave } from './restore-elsewhere.ts'
import type { OperationContext, ScopeContext } from './transfer.ts'
import type { AreaSum, KeptFilter, KeptRecord, TrashOwner, TrashRequest } from './trash-records.ts'
import { type Room, roomsOf, sumsOf } from './trash-room.ts'

/** A recorded thing that the user may see. */
export interface SeenKept extends KeptRecord {
  /** The path that it had in the user's scope. */
  path: FilePath
  isOwn: boolean
}

export interface RemovalOptions extends RemoveOptions {
  /** The user asks to delete for good. */
  permanent?: boolean
  /** `never`: for good, as the host decides; `only`: where there is no trash, nothing is deleted. */
  trash?: 'never' | 'only'
  /** The identity of the entry to remove: any other one, also one that takes its name meanwhile, is `not_found` and stays. */
  only?: string
  /** The user agrees that it is copied, whatever its size, where a rename leaves its file system. */
  copy?: boolean
  /** @param bytes copied since the last call */
  copied?(bytes: number): void
}

type Context = OperationContext

/** Records read at a time. */
const PAGE = 500

/**
 * The trash of one user. Everything is judged by the rights and rules of now, and by the path that a thing had: what a
 * user may not see is `not_found`, the same whether or not it exists.
 */
export class Trash {
  readonly #context: Context
  readonly #changes: Changes
  readonly #places: Places
  readonly #base: Base
  readonly #owner: TrashOwner | undefined

  /** @param owner nothing where deletions are permanent */
  constructor(context: Context, changes: Changes, places: Places, base: Base, owner: TrashOwner | undefined) {
    this.#context = context
    this.#changes = changes
    this.#places = places
    this.#base = base
    this.#owner = owner
  }

  /** Whether deleted things are kept. */
  get isOn(): boolean {
    return this.#owner !== undefined && this.#context.store.kept !== undefined
  }

  /**
   * Removes an entry, to the trash where there is one; the caller has checked the rights for the path.
   * @returns the id of the kept thing; nothing for a permanent removal
   * @throws as `add`, and forbidden where only administrators delete for good
   */
  async remove(
    path: FilePath,
    { permanent = false, trash, only, copy = false, copied, ...how }: RemovalOptions,
  ): Promise<string | undefined> {
    const { store } = this.#context
    if (permanent) this.#demandPermanent()
    const along = await carrying(this.#context)
    // A symbolic link on the path may lead to a hidden folder, which a removal does not include.
    if (along.store !== store) await store.stat(parentOf(path))
    const act = async () => {
      const keeps = await this.keeps(path, { permanent, ...(trash && { trash }) })
      this.#context.record.does(keeps ? 'delete' : 'purge')
      if (!keeps) return demandObject(along.store, path, only).then(() => removeForGood(along, path, how))
      const { signal } = how
      const more = { ...(signal && { signal }), ...(copied && { progress: copied }) }
      return this.add(path, { copies: copy, later: true, only, ...more })
    }
    const kept = await this.#places.leaving(path, () => this.#changes.locked(path, 'tree', act))
    this.#changes.notify(path, 'removed')
    return kept
  }

  /** Whether a removal keeps the entry at a path; what is kept inside it moves elsewhere before. @throws no_trash */
  async keeps(path: FilePath, { permanent, trash }: Pick<RemovalOptions, 'permanent' | 'trash'>): Promise<boolean> {
    if (!this.isOn) return false
    await this.#emptyInnerAreas((await carrying(this.#context)).store, path)
    return !permanent && trash !== 'never' && !(await this.#skips(path, trash))
  }

  /** Gives the entry its path back that was kept just now, as if it had not been deleted. @throws gone, exists */
  async takeBack(id: string, path: FilePath): Promise<void> {
    const { records } = this.#demandOwner()
    const record = await records.find(id)
    if (!record) throw new AppError('gone')
    await keptOf((await carrying(this.#context)).store).bringBack(record.at, path, { as: path })
    await records.forget(id)
    this.#changes.trashed(path)
  }

  /** Refuses what cannot be removed completely. @throws not_found, forbidden */
  async demandRemovable(path: FilePath): Promise<void> {
    await demandRemovable(await carrying(this.#context), path)
  }

  /** Keeps the entry at a path; see `keepEntry`. */
  async add(path: FilePath, how: KeepOptions = {}): Promise<string> {
    const owner = this.#demandOwner()
    const recorded = () => this.#changes.trashed(path)
    return keepEntry(await carrying(this.#context), owner, path, { ...how, recorded })
  }

  /** Things that the user may see, newest first, and whether there are more. */
  async list(request: TrashRequest, limit: number): Promise<{ items: SeenKept[]; more: boolean }> {
    demandSeen(this.#context.policy, request.folder, 'list')
    if (request.before === undefined && this.#showsForeign) await this.#demandOwner().records.refresh?.()
    const items: SeenKept[] = []
    for await (const seen of this.#each(request)) {
      if (items.length === limit) return { items, more: true }
      items.push(seen)
    }
    return { items, more: false }
  }

  /** The number of things that the user may see, and the bytes of the files among them, by the area in which they lie. */
  async sums(mine: boolean): Promise<AreaSum[]> {
    if (!this.#context.policy.restricts) return this.#demandOwner().records.sums(this.#filter(ROOT, mine))
    return sumsOf(this.#each({ folder: ROOT, mine, name: '' }))
  }

  /** The disks on which things lie that the user may see. */
  async rooms(): Promise<Room[]> {
    return roomsOf(keptOf(this.#context.store), this.#base, await this.sums(false))
  }

  /** The things that the user may delete for good, the newest first. */
  async purgeable(mine: boolean, deletedBefore: number | undefined, limit: number): Promise<SeenKept[]> {
    const own = mine || !this.#demandOwner().isAdmin
    const things: SeenKept[] = []
    const more = deletedBefore === undefined ? {} : { deletedBefore }
    for await (const seen of this.#each({ folder: ROOT, mine: own, name: '', ...more })) {
      things.push(seen)
      if (things.length === limit) break
    }
    return things
  }

  /** @throws not_found */
  async find(id: string): Promise<SeenKept> {
    const record = await this.#demandOwner().records.find(id)
    const seen = record && this.#seen(record)
    if (!seen) throw new AppError('not_found')
    return seen
  }

  /**
   * Brings a thing back, or one entry inside it, to the path of `goalOf` or to another one. Missing folders are made,
   * folders merge, and other conflicts are settled by choice.
   * @returns the path; `undefined` when it was skipped
   * @throws not_found, gone, forbidden, not_a_folder (a parent is no folder), exists, unsupported (another file system)
   */
  async restore(id: string, request: RestoreRequest & { inner?: FilePath }): Promise<FilePath | undefined> {
    const seen = await this.find(id)
    const { inner = ROOT } = request
    const had = joinPath(seen.path, inner)
    const to = request.to ?? joinPath(await this.goalOf(seen), inner)
    this.#context.record.does('restore')
    const { policy } = this.#context
    policy.demand('create', to)
    if (!policy.sees(had)) throw new AppError('not_found')
    demandMayLeave(this.#context, seen.at, { had, to })
    const along = await carrying(this.#context)
    return this.#changes.lockedKept(id, async () => {
      await this.#claim(seen, 'restored')
      try {
        return await restoreInto(
          {
            id,
            context: along,
            requested: this.#context,
            kept: keptOf(along.store),
            locked: (path, act) => this.#changes.locked(path, 'name', act),
            replace: path => this.#replace(path),
            restored: async (from, to) => {
              this.#changes.notify(to, 'created')
              await this.#places.returned(id, this.#base.placeOf(from), to)
              await this.#context.versions?.returned(from, to, from !== seen.path)
            },
            copied: async (...copy) => this.#context.versions?.copied(...copy),
            made: path => this.#changes.notify(path, 'created'),
            begin: (entry, path) => this.#beginRestore(id, entry, path),
          },
          { at: seen.at, inner, had },
          { ...request, to },
        )
      } finally {
        await this.#settle(seen)
      }
    })
  }

  /** See `restoreCollisions`. */
  collisions(order: RestoreOrder, signal: AbortSignal): AsyncGenerator<Collision> {
    return restoreCollisions(this.#context, this, order, signal)
  }

  /** The path to which a thing comes back unless another one is given. */
  goalOf(seen: Pick<SeenKept, 'id' | 'path'>): Promise<FilePath> {
    const { store, policy } = this.#context
    return goalOf({ store, policy, base: this.#base, records: this.#demandOwner().records }, seen)
  }

  /**
   * Deletes a thing for good; `clear` frees its space.
   * @throws not_found, gone, and forbidden without the right, for another user's thing, and for a tree with a denied part
   */
  async purge(id: string): Promise<SeenKept> {
    const { isAdmin } = this.#demandOwner()
    const seen = await this.find(id)
    this.#context.record.does('purge')
    this.#context.policy.demand('remove', seen.path)
    if (!seen.isOwn && !isAdmin) throw new AppError('forbidden')
    this.#demandPermanent()
    await this.#demandWhole(seen)
    await this.#changes.lockedKept(id, async () => {
      await this.#claim(seen, 'purged')
      try {
        await keptOf(this.#context.store).drop(seen.at)
      } finally {
        await this.#settle(seen)
      }
      await this.#places.purged(id)
    })
    const { path, isFolder, size, identity } = seen
    this.#context.record.purged(path, { isFolder, size, identity, kept: id })
    return seen
  }

  /** Frees the space of things that were deleted for good; failures are retried by the server's own sweep. */
  async clear(things: readonly Pick<SeenKept, 'at'>[]): Promise<void> {
    const areas = new Map(things.map(({ at }) => [`${at.home}\0${at.area}`, at]))
    for (const at of areas.values())
      await keptOf(this.#context.store)
        .clear(at)
        .catch(() => {})
  }

  /**
   * What a view of a kept thing works in, for reading, and the thing's path in it.
   * @throws not_found, forbidden
   */
  async view(id: string): Promise<{ context: ScopeContext; path: FilePath; kept: SeenKept }> {
    const seen = await this.find(id)
    const top = trustedChild(ROOT, seen.at.name)
    const { policy } = this.#context
    const sees = (inner: FilePath) => policy.sees(joinPath(seen.path, inner))
    const store = await keptOf(this.#context.store).open(seen.at, sees)
    const reading = readingPolicy(
      asAt(policy, seen.path),
      path => isWithin(path, top) && sees((path.slice(top.length) || '/') as FilePath),
    )
    return { context: { store, policy: reading, whole: async () => store }, path: top, kept: seen }
  }

  async *#each({ folder, mine, name, before, deletedBefore }: TrashRequest): AsyncGenerator<SeenKept> {
    const { records } = this.#demandOwner()
    this.#context.policy.demand('list', folder)
    const part = name.toLowerCase()
    const filter = { ...this.#filter(folder, mine), ...(deletedBefore !== undefined && { deletedBefore }) }
    for (let last = before; ; ) {
      const page = await records.list(last === undefined ? filter : { ...filter, before: last }, PAGE)
      for (const record of page) {
        const seen = this.#seen(record)
        if (seen && nameOf(seen.path).toLowerCase().includes(part)) yield seen
      }
      last = page.at(-1)?.id
      if (page.length < PAGE) return
    }
  }

  #filter(folder: FilePath, mine: boolean): KeptFilter {
    const { elsewhere = [] } = this.#base
    const under = [this.#base.placeOf(folder), ...(folder === ROOT ? elsewhere : [])]
    const whose = mine || this.#seesOwnOnly ? { userId: this.#demandOwner().id } : {}
    return { under, foreign: this.#showsForeign, ...whose }
  }

  get #showsForeign(): boolean {
    return this.#owner?.policy.desktop !== 'hide'
  }

  get #seesOwnOnly(): boolean {
    return this.#owner?.policy.seenBy === 'own' && !this.#owner.isAdmin
  }

  /** @throws forbidden */
  #demandPermanent(): void {
    if (this.#owner?.policy.permanentBy === 'admins' && !this.#owner.isAdmin) throw new AppError('forbidden')
  }

  /** Whether the host keeps nothing of the folder. @throws no_trash when the client deletes nothing for good */
  async #skips(path: FilePath, trash: RemovalOptions['trash']): Promise<boolean> {
    if (!(await this.#isSkipped(path))) return false
    if (trash === 'only') throw new AppError('no_trash')
    return true
  }

  async #isSkipped(path: FilePath): Promise<boolean> {
    const { skip } = this.#demandOwner().policy
    if (skip.length === 0) return false
    const folder = await this.#context.store.stat(parentOf(path))
    const place = this.#base.placeOf(trustedChild(folder?.canonical ?? parentOf(path), nameOf(path)))
    return skip.some(skipped => isWithin(place, skipped) && place !== skipped)
  }

  #seen(record: KeptRecord): SeenKept | undefined {
    const { policy } = this.#context
    if (record.isForeign && !this.#showsForeign) return undefined
    const path = this.#base.pathOf(record.place)
    if (path === undefined || path === ROOT) return undefined
    if (!policy.may('list', path) || !policy.sees(path)) return undefined
    const isOwn = record.userId === this.#demandOwner().id
    return isOwn || !this.#seesOwnOnly ? { ...record, path, isOwn } : undefined
  }

  /** Claims a thing. @throws gone, and unavailable where its disk is not there */
  async #claim({ id, at }: SeenKept, why: 'restored' | 'purged'): Promise<void> {
    const { records } = this.#demandOwner()
    const there = await keptOf(this.#context.store).look(at)
    const isClaimed = await records.leave(id, there ? why : 'lost').catch(async thrown => {
      // The record may say so without being durable.
      await records.stay(id).catch(() => {})
      throw thrown
    })
    if (!isClaimed) throw new AppError('gone')
  }

  async #beginRestore(id: string, entry: Entry, path: FilePath): Promise<() => Promise<void>> {
    const { records } = this.#demandOwner()
    const { identity: made, size } = entry
    const isFolder = entry.kind === 'folder'
    const file = isFolder ? {} : { stamp: stampOf(entry), size }
    const ahead = this.#context.record.ahead({ kind: 'restore', path, isFolder, made, kept: id, ...file })
    if (!ahead) return async () => {}
    await records.restoring(ahead)
    return () => records.notRestored(ahead).catch(() => {})
  }

  /** Ends a claim by what is in the area now. Where its disk is not there, the thing stays: no later run may end it. */
  async #settle({ id, at, path }: SeenKept): Promise<void> {
    const { records } = this.#demandOwner()
    const there = await keptOf(this.#context.store).look(at).catch(unknownIfUnavailable)
    await (there ? records.stay(id) : records.gone(id))
    this.#changes.trashed(path)
  }

  async #emptyInnerAreas(store: StorageDriver, path: FilePath): Promise<void> {
    const { records } = this.#demandOwner()
    const locked = (id: string, act: () => Promise<boolean>) => this.#changes.lockedKept(id, act)
    await emptyInnerAreas({ store, kept: keptOf(store), records, locked }, path, this.#base)
  }

  /** An entry that gives way to a restored one goes to the trash itself. */
  async #replace(path: FilePath): Promise<void> {
    demandSeen(this.#context.policy, path, 'replace')
    await this.#places.leaving(path, () => this.#changes.locked(path, 'tree', () => this.add(path)))
    this.#changes.notify(path, 'removed')
  }

  async #demandWhole({ at, path, isFolder }: SeenKept): Promise<void> {
    const policy = this.#context.policy.carrying()
    if (!isFolder || !policy.restricts) return
    const store = await keptOf(this.#context.store).open(at, () => true)
    await demandWholeKept(store, policy, { path, top: trustedChild(ROOT, at.name) })
  }

  #demandOwner(): TrashOwner {
    if (!this.#owner || !this.#context.store.kept) throw new AppError('unsupported')
    return this.#owner
  }
}
