import { type FilePath, parentOf } from '../../shared/path.ts'
import type { Amount } from '../lib/amount.ts'
import type { Entry } from '../storage/driver.ts'
import { carrying } from './carry.ts'
import { type Collision, collisionsOf } from './conflicts.ts'
import { copyTree, demandCopy } from './copy.ts'
import { freeName } from './free-name.ts'
import { furtherLocks } from './further-locks.ts'
import { type GiveWayOptions, inPlaceOf, type PlaceTools } from './in-place-of.ts'
import { demandLeave, moveOrFinish } from './move.ts'
import { demandSeen, type Policy } from './policy.ts'
import { recordParents } from './recorder.ts'
import { begin, discardCopy } from './resume.ts'
import type { SharedNames } from './shared-places.ts'
import {
  demandPlaces,
  type GivesWay,
  type TransferContext,
  type TransferNote,
  type TransferRequest,
} from './transfer.ts'
import { transferWhole, type WholeRequest } from './whole-transfer.ts'

/** Copies and moves of one user's files. */
export class Transfers {
  readonly #context: PlaceTools

  constructor(context: PlaceTools) {
    this.#context = context
  }

  /** @throws forbidden unless permissions and rules allow the copy or move */
  demand(action: 'copy' | 'move', from: FilePath, to: FilePath): void {
    const { policy, sharedNames } = this.#context
    const isName = action === 'move' && sharedNames?.areMeant(from, to)
    if (!isName) demandRights(policy, action, from, to)
    demandPlaces(policy, from, to)
  }

  /** Refuses what cannot fit into a quota, for callers that know how much they will write. @throws quota_exceeded */
  async demandRoom(path: FilePath, amount: Amount): Promise<void> {
    await this.#context.store.quota?.demand(path, amount)
  }

  /**
   * Copies a file or a tree. @returns the path of the copy; `undefined` when it was skipped @throws see `settle`,
   * `copyTree`
   */
  copy(from: FilePath, to: FilePath, how: TransferRequest): Promise<FilePath | undefined> {
    const { changes, around } = this.#context
    return this.#reserving(async context => {
      const begun = await begin(context, from, to, how)
      if (!begun?.source || begun.arrived) return begun?.goal
      demandRights(context.policy, 'copy', from, begun.goal)
      context.record.does('copy')
      const { source, goal, standing } = begun
      const along = await carrying(context)
      const copy = async () => {
        const act = () => copyTree({ ...along, lockFurther: furtherLocks(changes, [goal]) }, begun, how)
        await changes.locked(goal, touchOf(standing), () => recordParents(along, goal, act))
        await context.properties?.copied(source, goal)
        if (standing?.kind !== 'file') changes.notify(goal, standing ? 'replaced' : 'created')
      }
      await around({ name: 'copy', path: from, to: goal }, copy, async () => {
        await demandCopy(along, source, goal)
        await changes.demandFree(goal, touchOf(standing))
      })
      return goal
    })
  }

  /** Moves or renames a file or a tree. @returns see `copy` @throws see `settle`, `moveTree` */
  move(from: FilePath, to: FilePath, how: TransferRequest): Promise<FilePath | undefined> {
    const { changes, places, around, versions, sharedNames } = this.#context
    if (sharedNames?.areMeant(from, to)) return this.#named(sharedNames, from, to)
    return this.#reserving(async context => {
      const begun = await begin(context, from, to, how)
      if (!begun?.source) return begun?.goal
      demandRights(context.policy, 'move', from, begun.goal)
      context.record.does(parentOf(from) === parentOf(begun.goal) ? 'rename' : 'move')
      const { source, goal, standing } = begun
      const along = await carrying(context)
      // Always in the same order, or two opposite moves would deadlock.
      const [first, second] = from < goal ? [from, goal] : [goal, from]
      const lockFurther = furtherLocks(changes, [from, goal])
      const move = async () => {
        const touch = (path: FilePath) => (path === from ? 'tree' : touchOf(standing))
        const isMerged = standing?.kind === 'folder'
        await places.moving({ from, to: goal, isMerged }, follow =>
          changes.locked(first, touch(first), () =>
            changes.locked(second, touch(second), async () => {
              await moveOrFinish({ ...along, lockFurther }, begun, how)
              await follow()
            }),
          ),
        )
        await versions?.moved(from, goal, source.identity)
        await context.properties?.moved(source, goal)
        changes.notify(from, 'removed')
        if (standing?.kind !== 'file') changes.notify(goal, standing ? 'replaced' : 'created')
      }
      await around({ name: 'rename', path: from, to: goal }, move, async () => {
        await demandLeave(along, source)
        await changes.demandFree(from, 'tree')
        await changes.demandFree(goal, touchOf(standing))
      })
      return goal
    })
  }

  /** Copies or moves an item whose goal is replaced as a whole; see `transferWhole`. */
  async whole(action: 'copy' | 'move', from: FilePath, to: FilePath, how: WholeRequest): Promise<FilePath | undefined> {
    this.demand(action, from, to)
    const parts = {
      store: this.#context.store,
      transfer: (source: FilePath, goal: FilePath, request: TransferRequest) => this[action](source, goal, request),
      inPlaceOf: this.inPlaceOf.bind(this),
    }
    return transferWhole(parts, from, to, how)
  }

  /** Whether a move between two paths copies each file for sure. */
  moveCopies(from: FilePath, to: FilePath): boolean {
    const { store, policy } = this.#context
    return store.copy !== undefined || policy.crosses?.(from, to) === true
  }

  /** Gives what others share another name, for this user only: nothing is moved. @throws forbidden, exists */
  async #named(names: SharedNames, from: FilePath, to: FilePath): Promise<FilePath> {
    const { policy, changes, recheck } = this.#context
    demandPlaces(policy, from, to)
    await recheck.session()
    await names.rename(from, to)
    changes.notify(parentOf(to), 'replaced')
    return to
  }

  /** Runs `act`, which puts another item at a path, in place of the entry there; see `inPlaceOf`. */
  inPlaceOf<T>(path: FilePath, how: GiveWayOptions, act: (over?: GivesWay) => Promise<T>): Promise<T> {
    return inPlaceOf(this.#context, path, how, act)
  }

  /** The conflicts of a copy or a move; see `collisionsOf`. */
  collisions(from: FilePath, to: FilePath, signal: AbortSignal): AsyncGenerator<Collision> {
    return collisionsOf(this.#context, from, to, signal)
  }

  /** Removes the unfinished copy of a folder. */
  discard(noted: Partial<TransferNote>): Promise<void> {
    return discardCopy(this.#context.store, noted)
  }

  /**
   * Runs `act` with a path that is free and stays reserved until it ends: this one, or `name(1).ext` and so on. @throws
   * exists
   */
  withFreeName<T>(path: FilePath, act: (free: FilePath) => Promise<T>): Promise<T> {
    demandSeen(this.#context.policy, path, 'create')
    return this.#reserving(async context => act(await freeName(context, path)))
  }

  /** Reserves names against concurrent operations. */
  #reserving<T>(act: (context: TransferContext) => Promise<T>): Promise<T> {
    const { names, base, changes } = this.#context
    return names.during(base, reserve => act({ ...this.#context, reserve, lockFurther: furtherLocks(changes, []) }))
  }
}

/**
 * A copy within one place needs the right to create, a move the right to rename. What leaves a place is read there, and
 * removed there by a move. @throws forbidden
 */
function demandRights(policy: Policy, action: 'copy' | 'move', from: FilePath, to: FilePath): void {
  if (policy.crosses?.(from, to)) {
    policy.demand('read', from)
    if (action === 'move') policy.demand('remove', from)
    policy.demand('create', to)
  } else policy.demand(action === 'copy' ? 'create' : 'rename', from)
}

/** What a transfer does at its goal. */
const touchOf = (standing: Entry | undefined) => (standing ? 'content' : 'name')
