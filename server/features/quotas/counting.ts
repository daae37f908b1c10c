import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { isInOtherRoot } from '../../../shared/places.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { asAppError } from '../../errors.ts'
import { amountBelow } from '../../files/metered-places.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { folderOfHandle, innerHandle } from '../../files/staged-handles.ts'
import type { StorageDriver } from '../../files/types.ts'
import { type Amount, minus, NOTHING, plus } from '../../lib/amount.ts'
import { LIMITS } from '../../limits.ts'
import { abandonOthers, activeHolds, freeHold, metersWithLost, rest, waitingUploads } from './holds.store.ts'
import {
  findMeter,
  listMeters,
  lockMeter,
  mustCount,
  type StoredMeter,
  setCounted,
  stagedUploads,
} from './meters.store.ts'

/** Attempts to count a folder while nothing changes in it; after the last one it may be too high. */
const ROUNDS = 5
/** Milliseconds between two rounds, times the number of the first. */
const BETWEEN = 200
/** Folders that are read at a stretch, and the pause in milliseconds after them. */
const STRETCH = 200
const PAUSE = 5
/** Milliseconds for which a start waits until homes are counted that a kill left in doubt. */
const START_WAITS = 10_000
const DAY = 24 * 3_600_000
/** Milliseconds after which a folder that changed all the time is counted again. */
const AGAIN = 60_000
/** A difference that is logged: bytes, and the part of the whole. */
const DRIFT = { bytes: 1024 * 1024, part: 0.01 }

export interface CountingDeps {
  db: Db
  cluster: Cluster
  storage: StorageDriver
  isOnlyServer: boolean
  owner: string
  log: { info(facts: object, text: string): void; error(facts: object, text: string): void }
  now(): number
  /** Brings the stored meters up to date. */
  folders(): Promise<unknown>
}

/** Counts what lies in folders with a quota: new ones, those in doubt, and each once a day. */
export class Counting {
  readonly #deps: CountingDeps
  #running: Promise<void> | undefined
  #again = false
  #closed = false
  #timer: NodeJS.Timeout | undefined
  #unsubscribe = () => {}

  constructor(deps: CountingDeps) {
    this.#deps = deps
  }

  /** Begins to count; waits a while for what a killed process left. */
  async start(): Promise<void> {
    const { db, cluster, isOnlyServer, owner } = this.#deps
    await this.#deps.folders()
    if (isOnlyServer) await abandonOthers(db, owner)
    this.#unsubscribe = cluster.subscribe('quotas.changed', () => void this.wake())
    this.#timer = setInterval(() => void this.wake(), LIMITS.quotaLost).unref()
    await Promise.race([this.wake(), sleep(START_WAITS, undefined, { ref: false })])
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    clearInterval(this.#timer)
    await this.#running
  }

  /** There are new homes to count; only where this server counts. */
  nudge(): void {
    if (this.#timer) void this.wake()
  }

  /** Counts what has to be counted. Never rejects. */
  wake(): Promise<void> {
    this.#again = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #run(): Promise<void> {
    const { db, log } = this.#deps
    while (this.#again && !this.#closed) {
      this.#again = false
      try {
        await this.#deps.folders()
        await this.#markLost()
        for (const meter of await listMeters(db))
          if (!this.#closed && this.#isDue(meter)) await this.countIfThere(meter)
      } catch (thrown) {
        log.error({ err: thrown }, 'folders with a quota could not be counted')
      }
    }
  }

  /** As `count`; nothing for a root that is not there now, which is counted later. */
  countIfThere(meter: StoredMeter): Promise<boolean | undefined> {
    return ifThere(meter.folder, () => this.count(meter))
  }

  #isDue({ state, countedAt }: StoredMeter): boolean {
    const age = this.#deps.now() - (countedAt ?? 0)
    return countedAt === undefined || age > (state === 'exact' ? DAY : AGAIN)
  }

  /** Changes of servers that have ended may be settled or not. */
  async #markLost(): Promise<void> {
    const { db, owner, now } = this.#deps
    await mustCount(db, await metersWithLost(db, { before: now() - LIMITS.quotaLost, but: owner }))
  }

  /**
   * Counts one folder. It is exact if nothing changed meanwhile; otherwise, after some rounds, never below what there is.
   * @returns whether it is exact
   */
  count(meter: StoredMeter): Promise<boolean> {
    return this.#deps.cluster.lock(`quota:${meter.id}`, async () => {
      await this.#dropStaleUploads(meter.id)
      for (let round = 1; round <= ROUNDS && !this.#closed; round += 1) {
        const isExact = await this.#round(meter.id, round === ROUNDS)
        if (isExact !== undefined) return isExact
        // What was just published is settled soon.
        await sleep(round * BETWEEN)
      }
      return false
    })
  }

  /** @returns nothing if something changed, and another round follows */
  async #round(id: string, isLast: boolean): Promise<boolean | undefined> {
    const { db, now } = this.#deps
    const before = await findMeter(db, id)
    if (!before) return true
    const lost = (await activeHolds(db, id)).filter(hold => this.#isLost(hold))
    const counted = await this.amountIn(before.folder)
    return db.transaction().execute(async transaction => {
      const after = await lockMeter(transaction, id)
      if (!after) return true
      const running = (await activeHolds(transaction, id)).filter(hold => !lost.some(other => other.id === hold.id))
      const isSteady = running.length === 0 && after.changes === before.changes
      if (!isSteady && !isLast) return undefined
      for (const hold of lost) {
        if (hold.kind === 'upload') await rest(transaction, hold.id)
        else await freeHold(transaction, id, hold)
      }
      const amount = isSteady ? counted : plus(counted, minus(after.grown, before.grown))
      await setCounted(transaction, id, { amount, state: isSteady ? 'exact' : 'counting', countedAt: now() })
      this.#report(after, amount.bytes)
      return isSteady
    })
  }

  /** What lies in a folder of the served root; nothing where it is missing. @throws unavailable */
  async amountIn(folder: FilePath): Promise<Amount> {
    let folders = 0
    const pause = async () => {
      folders += 1
      if (folders % STRETCH === 0) await sleep(PAUSE)
    }
    const { storage } = this.#deps
    try {
      const amount = await amountBelow(await storage.within(folder), ROOT, pause)
      // A root that is unmounted meanwhile looks empty from there on.
      await storage.within(folder)
      return amount
    } catch (thrown) {
      if (!['not_found', 'not_a_folder'].includes(asAppError(thrown).code)) throw thrown
      return NOTHING
    }
  }

  #isLost({ owner, heartbeat }: { owner: string; heartbeat: number }): boolean {
    return owner !== this.#deps.owner && heartbeat < this.#deps.now() - LIMITS.quotaLost
  }

  /** Uploads that ended without giving their room back, because the home of their user was missing. */
  async #dropStaleUploads(meter: string): Promise<void> {
    const { db, now } = this.#deps
    const waiting = await waitingUploads(db, meter, now() - LIMITS.quotaLost)
    if (waiting.length === 0) return
    const known = new Set((await stagedUploads(db)).map(holdIdOf))
    for (const hold of waiting) {
      if (!known.has(hold.id)) await db.transaction().execute(transaction => freeHold(transaction, meter, hold))
    }
  }

  #report({ folder, used: { bytes: before }, state }: StoredMeter, bytes: number): void {
    const difference = Math.abs(bytes - before)
    if (state !== 'exact' || difference <= Math.min(DRIFT.bytes, before * DRIFT.part)) return
    this.#deps.log.info({ folder, before, bytes }, 'a folder with a quota held something else than recorded')
  }
}

/** Runs what reads a folder with a quota; nothing while the further root that it lies in is not there. */
export async function ifThere<T>(folder: FilePath, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (thrown) {
    if (asAppError(thrown).code !== 'unavailable' || !isInOtherRoot(folder)) throw thrown
    return undefined
  }
}

/** The id of the room of an upload, into the own scope or into what another user shares. */
function holdIdOf({ scope, staged }: { scope: string; staged: string }): string {
  const shared = folderOfHandle(staged)
  const name = shared === undefined ? staged : innerHandle(staged)
  return createHash('sha256')
    .update(`${shared ?? scopeFolder(scope)}\0${name}`)
    .digest('base64url')
}
