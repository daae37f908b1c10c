import type { IntegrityState } from '../../shared/api/integrity.ts'
import { AppError } from '../errors.ts'
import { Scrub, type ScrubDeps } from './scrub.ts'
import { lastRun } from './scrub-runs.store.ts'
import { SCRUB_PERIODS } from './scrub-window.ts'
import {
  acceptSum,
  countOpen,
  countSums,
  type FindingRow,
  findFinding,
  listFindings,
  placesWith,
  settleFinding,
} from './sums.store.ts'
import { Sums } from './sums.ts'

export interface IntegrityDeps extends Omit<ScrubDeps, 'sums' | 'log' | 'settings'> {
  log: ScrubDeps['log'] & { warn(facts: object, text: string): void }
  config: {
    scrub: ScrubDeps['settings']['mode']
    scrubHours: ScrubDeps['settings']['hours']
    scrubRate: number
  }
}

/** Files listed as sources of a lost content. */
const COPIES = 5

/** The checksums of files, the checks at night, and what these found. */
export class Integrity {
  readonly sums: Sums
  readonly scrub: Scrub
  readonly #deps: IntegrityDeps

  constructor(deps: IntegrityDeps) {
    const { scrub: mode, scrubHours: hours, scrubRate: rate } = deps.config
    this.#deps = deps
    this.sums = new Sums(deps)
    this.scrub = new Scrub({ ...deps, sums: this.sums, settings: { mode, hours, rate } })
  }

  /** What is known about the files, and when they were and will be checked. */
  async report() {
    const { db, config, now = Date.now } = this.#deps
    await this.sums.flush()
    const [last, complete] = [await lastRun(db), await lastRun(db, { complete: true })]
    const counts = await countSums(db, now() - SCRUB_PERIODS[config.scrub])
    return { last, complete, next: this.scrub.next(last), ...counts, open: await this.open() }
  }

  /** The number of open findings. */
  open(): Promise<number> {
    return countOpen(this.#deps.db)
  }

  /** Newest first. */
  findings(filter: { state?: IntegrityState | undefined; before?: string | undefined }, limit: number) {
    return listFindings(this.#deps.db, filter, limit)
  }

  /** @throws not_found */
  async finding(id: string): Promise<FindingRow> {
    const row = await findFinding(this.#deps.db, id)
    if (!row) throw new AppError('not_found')
    return row
  }

  /** Other files that had the lost content of a finding when they were last read. */
  async copiesFor({ expected, identity, state }: FindingRow) {
    if (expected === null || state !== 'open') return []
    await this.sums.flush()
    return placesWith(this.#deps.db, expected, identity, COPIES)
  }

  /** Settles a finding. With `accepted` its content is the known one from then on. @throws exists if it is not open */
  async settle(finding: FindingRow, state: 'accepted' | 'restored', by: string): Promise<FindingRow> {
    const { db, now = Date.now } = this.#deps
    if (!(await settleFinding(db, finding.id, { state, settled_at: now(), settled_by: by })))
      throw new AppError('exists')
    if (state === 'accepted') await acceptSum(db, finding)
    return this.finding(finding.id)
  }
}
