import { type FilePath, isWithin, nameOf, parentOf, ROOT } from '../../shared/path.ts'
import type { Entry } from '../storage/driver.ts'
import type { Base } from './base.ts'
import type { ChangeFilter, ChangeRecord, StepAt, TouchedPlace } from './change-records.ts'
import { commonFolder, type History, type SeenChange, type SeenStep } from './history.ts'
import { lineageOf } from './lineage.ts'

/** What a timeline asks for. */
export interface ActivityRequest extends Omit<ChangeFilter, 'under' | 'userId' | 'session' | 'undoable'> {
  /** Only the user's own changes. */
  mine: boolean
}

/** A change with what it did to the subject of a timeline; its number and names are those of these steps. */
export interface SeenActivity extends SeenChange {
  step: SeenStep
}

interface ActivityPage {
  items: SeenActivity[]
  /** The `before` of the next page. */
  next?: string
}

/** Changes that one request judges. */
const MOST_CHANGES = 1000
/** Records read at a time. */
const PAGE = 60
/** Steps of one change that are judged. */
const MOST_STEPS = 1000
const NAMES = 3

/**
 * The timeline of a file through its renames, of a folder with what is in it, or of everything. Every path is judged by the
 * rights and rules of now: what the user may not see is neither listed nor counted.
 */
export class Activity {
  readonly #history: History
  readonly #base: Base
  readonly #info: (path: FilePath) => Promise<Entry>

  /** @param info the entry at a path, with all checks */
  constructor(history: History, base: Base, info: (path: FilePath) => Promise<Entry>) {
    this.#history = history
    this.#base = base
    this.#info = info
  }

  /** Newest first. @throws not_found, forbidden */
  async list(path: FilePath, request: ActivityRequest, limit: number): Promise<ActivityPage> {
    const filter = this.#history.filterFor(request)
    const items: SeenActivity[] = []
    const known = new Set<string>()
    let judged = 0
    let last = request.before
    for (const where of await this.#placesOf(path)) {
      for await (const found of this.#changesAt(where, filter)) {
        if (known.has(found.id)) continue
        judged += 1
        if (judged > MOST_CHANGES) return { items, ...(last !== undefined && { next: last }) }
        const line = await this.#line(found, where)
        if (line && items.length === limit) return { items, ...(last !== undefined && { next: last }) }
        if (line) {
          items.push(line)
          known.add(found.id)
        }
        last = found.id
      }
    }
    return { items }
  }

  async #placesOf(path: FilePath): Promise<TouchedPlace[]> {
    const entry = await this.#info(path)
    if (path === ROOT) return [{ place: this.#base.placeOf(ROOT), below: true }]
    return lineageOf(this.#history.records, this.#base.placeOf(entry.canonical), entry.kind === 'folder')
  }

  /** Matching changes at a place, the newest first. */
  async *#changesAt(where: TouchedPlace, filter: Omit<ChangeFilter, 'under'>): AsyncGenerator<ChangeRecord> {
    for (let { before } = filter; ; ) {
      const more = before === undefined ? filter : { ...filter, before }
      const { changes, next } = await this.#history.records.touching(where, more, PAGE)
      yield* changes
      before = changes.length === PAGE ? changes.at(-1)?.id : next
      if (before === undefined) return
    }
  }

  /** A change as the user may see it; nothing where no visible path of a step is at the place. */
  async #line(record: ChangeRecord, where: TouchedPlace): Promise<SeenActivity | undefined> {
    const about = this.#history.about(record)
    if (!about) return undefined
    const isWhole = !this.#history.restricts && where.below && isWithin(record.folder, where.place)
    const most = isWhole && !isAtBound(record, where) ? 1 : MOST_STEPS + 1
    const raw = await this.#history.records.stepsTouching(record.id, where, most)
    const steps = raw.slice(0, MOST_STEPS).flatMap(step => {
      const seen = this.#history.seenStep(step)
      return seen && (isAlso(step, where) || this.#isAt(seen, where)) ? [seen] : []
    })
    const [step] = steps
    if (!step) return undefined
    if (most === 1) {
      const folder = this.#history.scopePath(record.folder)
      return { ...about, step, count: record.steps, isCounted: true, folder, first: record.first }
    }
    const paths = steps.map(({ path, to }) => to ?? path)
    const folder = [...paths, ...steps.map(({ path }) => path)].map(parentOf).reduce(commonFolder)
    const first = paths.slice(0, NAMES).map(nameOf)
    return { ...about, step, count: steps.length, isCounted: raw.length <= MOST_STEPS, folder, first }
  }

  /** Whether a path of a step that the user sees is at the place: another one must not be hinted at. */
  #isAt({ path, to }: SeenStep, { place, below }: TouchedPlace): boolean {
    const isIn = (other: FilePath) => {
      const there = this.#base.placeOf(other)
      return below ? isWithin(there, place) : there === place
    }
    return isIn(path) || (to !== undefined && isIn(to))
  }
}

const isAlso = (step: StepAt, { also = [] }: TouchedPlace): boolean =>
  also.some(({ change, position }) => change === step.change && position === step.position)

const isAtBound = ({ id }: ChangeRecord, { from, until }: TouchedPlace): boolean =>
  id === from?.change || id === until?.change
