import type { FilePath } from '../../shared/path.ts'
import type { StepRecord, StepRef, TimedStep } from './change-records.ts'
import { FolderTree } from './folder-tree.ts'

/** One operation that rewinding a folder consists of: it undoes a step, and with it those that it covers. */
export interface RewindItem extends StepRef {
  /** What the undo assumes instead of what the step has. */
  over?: Partial<Pick<StepRecord, 'kind' | 'place' | 'made' | 'kept'>> & { stamp?: string | null }
  /** Milliseconds since the epoch: a folder in which a file is newer was changed in another way. */
  since: number
  covers?: readonly StepRef[]
  /** For an item in the trash: the restoration whose undo puts it there again. */
  again?: StepRef
}

export interface RewindSteps {
  /** In the order in which they are to be done. */
  items: PlannedItem[]
  /** Steps that cannot be undone. */
  final: TimedStep[]
}

/** An item with the step as the undo takes it. */
export interface PlannedItem extends RewindItem {
  step: TimedStep
}

/** A file over its recorded life, through all its contents and places. */
interface Lineage {
  /** What made it, or the first step in a new folder with which it was made. */
  born?: TimedStep
  steps: TimedStep[]
  /** The steps that replaced its content. */
  replaced: { step: TimedStep; at: number }[]
  /** The step that left its present content. */
  content: Pick<TimedStep, 'made' | 'stamp'>
  /** Of its moves, deletions and restorations. */
  items: NumberedItem[]
  /** Where it was after its newest step, and the number of that. */
  place: FilePath
  newest: number
  isGone: boolean
  /** The new folder that it was in then. */
  home: NewFolder | undefined
}

interface NewFolder {
  step: TimedStep
  at: number
  covers: TimedStep[]
  since: number
  isGone: boolean
}

/**
 * What undoes the recorded steps of a folder, the newest first: one operation for a file that was written many times, none
 * for one that was made and deleted since, and one for a new folder with all that was made in it.
 * @param steps in the order in which they were done; also those that were undone
 */
export function planRewind(steps: readonly TimedStep[]): RewindSteps {
  return new Planner(steps).run()
}

class Planner {
  readonly #steps: readonly TimedStep[]
  /** Which step was undone by which one, by their keys; only pairs. */
  readonly #reverts = new Map<string, string>()
  readonly #files = new Map<string, Lineage>()
  readonly #lineages: Lineage[] = []
  readonly #gaveWay = new Map<string, Lineage>()
  readonly #trashed = new Map<string, NumberedItem>()
  readonly #folders = new FolderTree<NewFolder | 'older'>()
  readonly #newFolders: NewFolder[] = []
  readonly #items: NumberedItem[] = []
  readonly #final: TimedStep[] = []

  constructor(steps: readonly TimedStep[]) {
    this.#steps = steps
    const known = new Set(steps.map(keyOf))
    for (const step of steps) {
      const reverted = `${step.undoes}/${step.reverts}`
      if (known.has(reverted)) this.#reverts.set(keyOf(step), reverted)
      if (step.rewound) this.#reverts.set(`${step.rewound.by}/${step.rewound.at}`, keyOf(step))
    }
  }

  run(): RewindSteps {
    for (const [at, step] of this.#steps.entries()) this.#take(step, at)
    for (const lineage of this.#lineages) this.#finish(lineage)
    for (const folder of this.#newFolders) this.#addFolder(folder)
    const items = this.#items.sort((a, b) => b.at - a.at).map(({ at: _, ...item }) => item)
    return { items, final: this.#final }
  }

  /** A step that was undone, and the one that undid it, need no item; what they did to places and identities counts. */
  #take(step: TimedStep, at: number): void {
    if (step.state === 'open' || step.state === 'lost') {
      this.#final.push(step)
      return
    }
    for (const place of [step.place, step.target ?? step.place]) {
      const home = this.#homeOf(place)
      if (home) home.since = Math.max(home.since, step.endedAt)
    }
    const taken = { step, at, isPaired: step.state === 'undone' || this.#reverts.has(keyOf(step)) }
    if (step.isFolder) this.#takeFolder(taken)
    else if (step.kind === 'make') this.#makeFile(taken)
    else if (step.kind === 'replace') this.#replaceFile(taken)
    else this.#takeFile(taken)
  }

  #takeFolder({ step, at, isPaired }: Taken): void {
    const { kind, place, target, kept = '' } = step
    if (kind === 'make') {
      this.#makeFolder(step, at)
      return
    }
    if (kind === 'move' && target !== undefined) this.#folders.move(place, target, 'older')
    const made = kind === 'restore' ? newOf(this.#folders.attach(place, kept, 'older')) : undefined
    const gone = kind === 'trash' || kind === 'purge' ? newOf(this.#folders.detach(place, kept)) : undefined
    if (made && isPaired) made.isGone = false
    if (gone && (isPaired || kind === 'purge')) gone.isGone = true
    if (isPaired) return
    if (kind !== 'purge') this.#add(step, at)
    else if (!gone) this.#final.push(step)
  }

  #makeFolder(step: TimedStep, at: number): void {
    // A parent that an undo made again was there before.
    if (this.#reverts.has(keyOf(step))) return
    const home = this.#homeOf(step.place)
    if (home) {
      if (step.state === 'done') home.covers.push(step)
      return
    }
    const made: NewFolder = { step, at, covers: [], since: step.endedAt, isGone: false }
    this.#folders.set(step.place, made)
    this.#newFolders.push(made)
  }

  #makeFile(taken: Taken): void {
    const { step } = taken
    const before = this.#gaveWay.get(this.#reverts.get(keyOf(step)) ?? '')
    const lineage = before ?? this.#remember(step.made, { ...this.#lineageOf(taken), born: step })
    lineage.content = step
    lineage.isGone = false
    if (step.made !== undefined) this.#files.set(step.made, lineage)
    this.#touch(lineage, taken)
  }

  #replaceFile(taken: Taken): void {
    const { step, at, isPaired } = taken
    const lineage = this.#files.get(step.was ?? '') ?? this.#remember(step.was, this.#lineageOf(taken))
    const next = this.#steps[at + 1]
    // A file that gave way to a moved one; the moved one keeps its own life.
    if (next?.kind === 'move' && next.change === step.change && next.target === step.place) {
      lineage.isGone = true
      this.#gaveWay.set(keyOf(step), lineage)
      if (!lineage.born && !isPaired) this.#add(step, at)
      return
    }
    lineage.content = step
    if (step.made !== undefined) this.#files.set(step.made, lineage)
    if (!isPaired) lineage.replaced.push({ step, at })
    this.#touch(lineage, taken)
  }

  #takeFile(taken: Taken): void {
    const { step, at, isPaired } = taken
    const { kind, was, made } = step
    const isLeaving = kind === 'trash' || kind === 'purge'
    const identity = was ?? made
    const lineage = this.#files.get(identity ?? '') ?? this.#remember(identity, this.#lineageOf(taken))
    lineage.isGone = isLeaving
    // A move by copying leaves another file with the same content.
    if (kind === 'move' && was !== undefined && made !== undefined) {
      lineage.content = { ...lineage.content, made }
      this.#files.set(made, lineage)
    }
    this.#touch(lineage, taken)
    if (lineage.born || isPaired) return
    if (kind === 'purge') this.#final.push(step)
    else lineage.items.push(this.#add(step, at))
  }

  /** The new folder with which a path goes; a folder that was moved into it does not. */
  #homeOf(path: FilePath): NewFolder | undefined {
    return newOf(this.#folders.above(path))
  }

  /** A file that is met first in a new folder was made with it. */
  #lineageOf({ step, at }: Taken): Lineage {
    const { place } = step
    const home = this.#homeOf(place)
    const nothing = { steps: [], replaced: [], items: [], content: {} }
    return { ...nothing, ...(home && { born: step }), place, newest: at, isGone: false, home }
  }

  #touch(lineage: Lineage, { step, at, isPaired }: Taken): void {
    const { place, target = place, kind } = step
    if (!isPaired) lineage.steps.push(step)
    if (lineage.content.made === undefined && kind !== 'trash') lineage.content = step
    lineage.place = target
    lineage.newest = at
    lineage.home = this.#homeOf(target)
  }

  #remember(identity: string | undefined, lineage: Lineage): Lineage {
    if (identity !== undefined) this.#files.set(identity, lineage)
    this.#lineages.push(lineage)
    return lineage
  }

  #finish({ born, steps, replaced, items, content, place, newest, isGone, home }: Lineage): void {
    const now = known(content)
    if (born) {
      if (!isGone && home) home.covers.push(...steps)
      const covers = steps.filter(step => step !== born)
      if (!isGone && !home) this.#add(born, newest, { over: { kind: 'make', place, ...now }, covers })
      return
    }
    // A move and a restore are undone with the file that is there, whatever was written into it since.
    for (const item of items) {
      if (item.step.kind === 'trash' || now.made === undefined || now.made === item.step.made) continue
      item.over = { made: now.made }
      item.step = assumed(item.step, item.over)
    }
    const [first, last] = [replaced[0], replaced.at(-1)]
    if (!first || !last) return
    const over = { ...(first.step.kept !== undefined && { kept: first.step.kept }), ...now }
    this.#add(last.step, last.at, { over, covers: replaced.slice(0, -1).map(({ step }) => step) })
  }

  #addFolder({ step, at, covers, since, isGone }: NewFolder): void {
    if (isGone || step.state !== 'done') return
    this.#add(step, at, { covers, since, ...(since > step.endedAt && { over: { stamp: null } }) })
  }

  #add(
    step: TimedStep,
    at: number,
    more: { over?: RewindItem['over']; covers?: readonly TimedStep[]; since?: number } = {},
  ): NumberedItem {
    const { change, position, endedAt, kept = '' } = step
    const { over, covers = [], since = endedAt } = more
    const item: NumberedItem = {
      at,
      change,
      position,
      since,
      ...(over && { over }),
      ...(covers.length > 0 && { covers: covers.map(({ change, position }) => ({ change, position })) }),
      step: assumed(step, over),
    }
    this.#items.push(item)
    if (step.kind === 'trash') this.#trashed.set(kept, item)
    const trashed = step.kind === 'restore' ? this.#trashed.get(kept) : undefined
    // Undoing the restoration puts the item into the trash under another id.
    if (trashed && trashed.step.was === step.made) trashed.again = { change, position }
    return item
  }
}

/** A step that is considered, with its number; `isPaired`: it was undone, or undid another one. */
interface Taken {
  step: TimedStep
  at: number
  isPaired: boolean
}

type NumberedItem = PlannedItem & { at: number }

const newOf = (folder: NewFolder | 'older' | undefined) => (folder === 'older' ? undefined : folder)

const keyOf = ({ change, position }: StepRef) => `${change}/${position}`

/** Only the values that are there. */
const known = ({ made, stamp }: Lineage['content']) => ({
  ...(made !== undefined && { made }),
  ...(stamp !== undefined && { stamp }),
})

/** A step as an item assumes it. */
export function assumed<S extends StepRecord>(step: S, over: RewindItem['over'] = {}): S {
  const { stamp, ...rest } = over
  const { stamp: _, ...bare } = step
  if (stamp === undefined) return { ...step, ...rest }
  return (stamp === null ? { ...bare, ...rest } : { ...step, ...rest, stamp }) as S
}
