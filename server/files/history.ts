import type { ActivityNames } from '../../shared/api/activity.ts'
import { type FilePath, isWithin, nameOf, parentOf, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Base } from './base.ts'
import type { ChangeFilter, ChangeRecord, ChangeRecords, StepRecord } from './change-records.ts'
import { demandSeen, type Policy } from './policy.ts'

/** Of whom, and for whose session, changes are read. */
export interface HistoryOwner {
  records: ChangeRecords
  id: number
  session: string | undefined
  isAdmin: boolean
  /** Who sees the names of other users: everyone, administrators, or users only their own changes. */
  names: ActivityNames
}

/** A recorded step whose paths the user may see; the paths are in the user's scope. */
export interface SeenStep {
  step: StepRecord
  path: FilePath
  /** For `move`: the new path, where the user sees it. */
  to?: FilePath
}

/** A recorded change, with what the user may see of it. */
export interface SeenChange {
  record: ChangeRecord
  isOwn: boolean
  isOfSession: boolean
  /** Whether the user sees whose it is. */
  isNamed: boolean
  /** The number of steps that the user may see; at least that many where `isCounted` is false. */
  count: number
  isCounted: boolean
  folder: FilePath
  first: readonly string[]
}

/** A change without what it did. */
export type AboutChange = Pick<SeenChange, 'record' | 'isOwn' | 'isOfSession' | 'isNamed'>

/** What a list of changes asks for. */
export interface HistoryRequest extends Omit<ChangeFilter, 'under' | 'userId' | 'session'> {
  /** Only changes of this path of the scope, or below it. */
  path: FilePath
  mine: boolean
  /** Only changes of the present session. */
  ofSession: boolean
}

/** Records read at a time. */
const PAGE = 100
/** Changes that one request judges. */
const MOST_CHANGES = 2000
/** Steps of a change that are judged, where not all can be seen. */
const MOST_STEPS = 1000
const NAMES = 3

/**
 * The recorded changes that one user may see: every path is judged by the rights and rules of now. A change without any
 * visible path does not exist for the user.
 */
export class History {
  readonly #policy: Policy
  readonly #base: Base
  readonly #owner: HistoryOwner | undefined

  /** @param base the scope's place in the served root @param owner nothing where no changes are recorded */
  constructor(policy: Policy, base: Base, owner: HistoryOwner | undefined) {
    this.#policy = policy
    this.#base = base
    this.#owner = owner
  }

  get records(): ChangeRecords {
    return this.#demandOwner().records
  }

  /** Changes that the user may see, newest first, and whether there may be more. */
  async list(
    { path, mine, ofSession, ...rest }: HistoryRequest,
    limit: number,
  ): Promise<{ items: SeenChange[]; more: boolean }> {
    const { records, session } = this.#demandOwner()
    this.#demandSeen(path)
    const filter = {
      ...this.filterFor({ ...rest, mine: mine || ofSession }),
      ...(ofSession && { session: session ?? '' }),
      under: this.#base.placeOf(path),
    }
    const items: SeenChange[] = []
    let judged = 0
    for (let before = rest.before; judged < MOST_CHANGES; ) {
      const page = await records.list(before === undefined ? filter : { ...filter, before }, PAGE)
      for (const record of page) {
        const seen = await this.#seen(record)
        if (!seen) continue
        if (items.length === limit) return { items, more: true }
        items.push(seen)
      }
      if (page.length < PAGE) return { items, more: false }
      judged += page.length
      before = page.at(-1)?.id
    }
    return { items, more: items.length > 0 }
  }

  /** @throws not_found */
  async find(id: string): Promise<SeenChange> {
    const record = await this.#demandOwner().records.find(id)
    const seen = record && (await this.#seen(record))
    if (!seen) throw new AppError('not_found')
    return seen
  }

  /** The steps of a change that the user may see, from a position. */
  async steps(change: string, from: number, limit: number): Promise<{ steps: SeenStep[]; more: boolean }> {
    const { records } = this.#demandOwner()
    const steps: SeenStep[] = []
    for (let next = from; ; ) {
      const page = await records.steps(change, next, PAGE)
      for (const step of page) {
        const seen = this.seenStep(step)
        if (!seen) continue
        if (steps.length === limit) return { steps, more: true }
        steps.push(seen)
      }
      if (page.length < PAGE) return { steps, more: false }
      next = (page.at(-1)?.position ?? 0) + 1
    }
  }

  /** A step as the user may see it; nothing where the user sees none of its paths. */
  seenStep(step: StepRecord): SeenStep | undefined {
    const path = this.pathOf(step.place)
    const to = step.target === undefined ? undefined : this.pathOf(step.target)
    if (path !== undefined) return { step, path, ...(to !== undefined && { to }) }
    return to === undefined ? undefined : { step, path: to, to }
  }

  /** The path in the scope of a place that the user may see. */
  pathOf(place: FilePath): FilePath | undefined {
    const path = this.#base.pathOf(place)
    if (path === undefined || path === ROOT) return undefined
    return this.#policy.may('list', path) && this.#policy.sees(path) ? path : undefined
  }

  /** Whether there is any rule; if not, the user sees every path of the scope. */
  get restricts(): boolean {
    return this.#policy.restricts
  }

  /** The path in the scope of a place in it. */
  scopePath(place: FilePath): FilePath {
    return this.#base.pathOf(place) ?? ROOT
  }

  /** A filter for the records, as far as the user may know whose changes they are. */
  filterFor<T extends { username?: string }>({ mine, ...filter }: T & { mine: boolean }) {
    const { id, isAdmin, names } = this.#demandOwner()
    const isOpen = isAdmin || names === 'everyone'
    const own = mine || (!isOpen && (names === 'own' || filter.username !== undefined))
    return { ...filter, ...(own && { userId: id }) }
  }

  /** Whose change it is; nothing where the user may not see it, whatever its paths. */
  about(record: ChangeRecord): AboutChange | undefined {
    const { id, session, isAdmin, names } = this.#demandOwner()
    const isOwn = record.userId === id
    const isNamed = isOwn || isAdmin || names === 'everyone'
    if (!isNamed && names === 'own') return undefined
    // Others do not learn what a user shares.
    if (!isOwn && !isAdmin && isAboutLink(record)) return undefined
    return { record, isOwn, isOfSession: isOwn && record.session === session, isNamed }
  }

  async #seen(record: ChangeRecord): Promise<SeenChange | undefined> {
    const about = this.about(record)
    if (!about) return undefined
    if (!this.#policy.restricts && this.#base.pathOf(record.folder) !== undefined) {
      const folder = this.scopePath(record.folder)
      return { ...about, count: record.steps, isCounted: true, folder, first: record.first }
    }
    return this.#counted(about)
  }

  async #counted(about: AboutChange): Promise<SeenChange | undefined> {
    const { steps, more } = await this.steps(about.record.id, 0, MOST_STEPS)
    if (steps.length === 0) return undefined
    const paths = steps.map(({ path, to }) => to ?? path)
    const folder = [...paths, ...steps.map(({ path }) => path)].map(parentOf).reduce(commonFolder)
    return { ...about, count: steps.length, isCounted: !more, folder, first: paths.slice(0, NAMES).map(nameOf) }
  }

  #demandSeen(path: FilePath): void {
    demandSeen(this.#policy, path, 'list')
  }

  #demandOwner(): HistoryOwner {
    if (!this.#owner) throw new AppError('unsupported')
    return this.#owner
  }
}

const LINK_KINDS: ReadonlySet<string> = new Set(['link', 'relink', 'unlink'])
const isAboutLink = ({ kind, about }: ChangeRecord): boolean =>
  LINK_KINDS.has(kind) || LINK_KINDS.has(about?.kind ?? '')

/** The deepest folder that holds both paths. */
export function commonFolder(a: FilePath, b: FilePath): FilePath {
  let folder = a
  while (folder !== ROOT && !isWithin(b, folder)) folder = parentOf(folder)
  return folder
}
