import { type FilePath, ROOT } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Instead } from '../storage/driver.ts'
import type { Base } from './base.ts'
import { carrying } from './carry.ts'
import type { Changes } from './changes.ts'
import { freeName, type NameReservations } from './free-name.ts'
import type { Around } from './hooks.ts'
import type { Places } from './places.ts'
import { demandSeen } from './policy.ts'
import type { GivesWay, OperationContext, TransferContext } from './transfer.ts'
import type { RemovalOptions, Trash } from './trash.ts'

export interface PlaceTools extends OperationContext {
  changes: Changes
  places: Places
  around: Around
  names: NameReservations
  trash: Trash
  /** The scope's place in the served root. */
  base: Base
}

export interface GiveWayOptions extends Pick<RemovalOptions, 'trash'> {
  /** The entry gives way to a folder as late as it can: `act` receives it, and lets it go. */
  late?: boolean
}

/** An entry that has given way; one of the two is called. */
interface Aside {
  /** The id of the kept thing. */
  kept?: string
  putBack(): Promise<void>
  /** It does not come back. */
  end(): Promise<void>
}

/**
 * Runs `act`, which puts another item at a path, once the entry there has given way: to the trash where there is one,
 * otherwise to a free name next to it until `act` has succeeded. Where `act` fails, the entry has its path again, with
 * its links and properties; what `act` has left there gets a free name, since it may be the only copy. With `late` the
 * other folder takes the place in one step where the store can, so that a kill leaves the old folder or the new one.
 * @throws not_found, forbidden, locked, no_trash, and what `act` throws
 */
export async function inPlaceOf<T>(
  tools: PlaceTools,
  path: FilePath,
  how: GiveWayOptions,
  act: (over?: GivesWay) => Promise<T>,
): Promise<T> {
  const { policy, changes, around, trash, names, places, base } = tools
  demandSeen(policy, path, 'remove')
  if (path === ROOT) throw new AppError('forbidden')
  const check = async () => {
    await trash.demandRemovable(path)
    await changes.demandFree(path, 'tree')
  }
  await check()
  return names.during(base, reserve => {
    const context = { ...tools, reserve }
    const replace = async () => {
      let result: T | undefined
      await places.leaving(path, async () => {
        const leaving = new Leaving(context, path, how)
        const begin = () => (how.late ? act(leaving) : leaving.now().then(() => act()))
        result = await begin().catch(thrown => leaving.failed(thrown))
        return leaving.end()
      })
      return result as T
    }
    return around({ name: 'delete', path }, replace, check)
  })
}

type Context = PlaceTools & Pick<TransferContext, 'reserve'>

/** The entry, which leaves its path once. */
class Leaving implements GivesWay {
  readonly #context: Context
  readonly #path: FilePath
  readonly #how: GiveWayOptions
  #aside: Aside | undefined
  /** The id of the kept thing whose place is taken. */
  #kept: string | undefined

  constructor(context: Context, path: FilePath, how: GiveWayOptions) {
    this.#context = context
    this.#path = path
    this.#how = how
  }

  get isAway(): boolean {
    return this.#aside !== undefined || this.#kept !== undefined
  }

  get exchanges(): boolean {
    return this.#context.store.kept?.exchanges === true && this.#context.trash.isOn
  }

  async takenBy(instead: Instead): Promise<boolean> {
    const { changes, trash, properties } = this.#context
    if (this.isAway || !this.exchanges) return false
    const setOn = await properties?.under(this.#path)
    try {
      this.#kept = await changes.whileLocked(this.#path, 'tree', async () =>
        (await trash.keeps(this.#path, this.#how)) ? trash.add(this.#path, { instead }) : undefined,
      )
    } catch (thrown) {
      const { code } = asAppError(thrown)
      if (code === 'quota_exceeded') await this.now()
      else if (code !== 'unsupported') throw thrown
    }
    if (this.#kept === undefined) return false
    await setOn?.forget()
    changes.notify(this.#path, 'removed')
    return true
  }

  async now(): Promise<void> {
    if (this.isAway) return
    const { changes, properties } = this.#context
    const setOn = await properties?.under(this.#path)
    const act = () => this.#leave()
    const aside = await (this.#how.late
      ? changes.whileLocked(this.#path, 'tree', act)
      : changes.locked(this.#path, 'tree', act))
    changes.notify(this.#path, 'removed')
    this.#aside = {
      ...aside,
      putBack: async () => {
        await aside.putBack()
        await setOn?.setAgain()
        changes.notify(this.#path, 'created')
      },
    }
    await setOn?.forget()
  }

  /** Once its place is taken, it is in the trash, and stays there. @throws thrown */
  async failed(thrown: unknown): Promise<never> {
    if (this.#aside) return afterFailure(this.#context, this.#path, this.#aside, thrown)
    throw thrown
  }

  /** @returns the id of the kept thing */
  async end(): Promise<string | undefined> {
    await this.#aside?.end()
    return this.#aside?.kept ?? this.#kept
  }

  async #leave(): Promise<Aside> {
    const { trash } = this.#context
    const keeps = await trash.keeps(this.#path, this.#how)
    return keeps ? toTrash(trash, this.#path) : beside(this.#context, this.#path)
  }
}

async function toTrash(trash: Trash, path: FilePath): Promise<Aside> {
  const kept = await trash.add(path)
  return { kept, putBack: () => trash.takeBack(kept, path), async end() {} }
}

/** Where the server is killed, the entry still has the free name: nothing sweeps it away. */
async function beside(context: Context, path: FilePath): Promise<Aside> {
  const { record } = context
  const { store } = await carrying(context)
  const was = await store.stat(path).catch(() => undefined)
  const free = await freeName(context, path)
  await rename(context, path, free)
  return {
    putBack: () => rename(context, free, path),
    async end() {
      await store.remove(free)
      const isFolder = was?.kind === 'folder'
      const size = was && !isFolder ? was.size : 0
      record.purged(path, { isFolder, size, ...(was && { identity: was.identity }) })
    },
  }
}

/** Where the entry cannot come back, it stays where it is, and nothing is lost. @throws thrown */
async function afterFailure(context: Context, path: FilePath, aside: Aside, thrown: unknown): Promise<never> {
  // Only the host's program failed, after everything was done.
  if (asAppError(thrown).code === 'hook_failed') await aside.end()
  else await context.changes.withLock(path, () => comeBack(context, path, aside)).catch(() => {})
  throw thrown
}

async function comeBack(context: Context, path: FilePath, aside: Aside): Promise<void> {
  const { store } = await carrying(context)
  const left = await store.stat(path)
  if (left) {
    const free = await freeName(context, path)
    await rename(context, path, free)
    context.record.moved(left, free)
    context.changes.notify(free, 'created')
  }
  await aside.putBack()
}

/** @throws unsupported where the store moves nothing */
async function rename(context: Context, from: FilePath, to: FilePath): Promise<void> {
  const { store } = await carrying(context)
  if (!store.move) throw new AppError('unsupported')
  await store.move(from, to)
}
