import type { Audit } from '../audit/audit.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Db } from '../db/schema.ts'
import type { Step } from '../files/change-records.ts'
import { inTransaction, type RecordedAs, writeSteps } from './changes.store.ts'
import type { KeptRow } from './kept.store.ts'

interface Deps {
  db: Db
  cluster: Pick<Cluster, 'publish'>
  audit: Pick<Audit, 'record'>
}

/** Steps that are held in memory. */
const BATCH = 500
const OWN = { outcome: 'done', way: 'server', address: '' } as const

/** What one run of the expiry deleted from the trash: one change of no user, so that the history names the items. */
export class ExpiredItems {
  readonly #deps: Deps
  readonly #recording: RecordedAs = {
    origin: { way: 'server', session: '' },
    owner: undefined,
    kind: 'expire',
    change: undefined,
    undoes: undefined,
  }
  #steps: Step[] = []
  #count = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async add({ id, place, isFolder, identity, size }: KeptRow): Promise<void> {
    this.#steps.push({ kind: 'purge', place, isFolder, was: identity, kept: id, size })
    this.#count += 1
    if (this.#steps.length >= BATCH) await inTransaction(this.#deps.db, transaction => this.#write(transaction))
  }

  /** Ends the change with its row of the audit log, if anything expired. */
  async end(): Promise<void> {
    if (this.#count === 0) return
    const { audit, cluster } = this.#deps
    const event = { ...OWN, action: 'trash.expire', target: String(this.#count) } as const
    await audit.record(event, (transaction, row) => this.#write(transaction, row))
    const { change } = this.#recording
    if (change !== undefined) cluster.publish('changes.changed', { id: change, userId: 0 })
  }

  async #write(db: Db, audit?: number): Promise<void> {
    await writeSteps(db, this.#recording, this.#steps, audit)
    this.#steps = []
  }
}
