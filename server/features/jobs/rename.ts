import { randomBytes } from 'node:crypto'
import { byteLength } from '../../../shared/bytes.ts'
import { childOf, extensionOf, type FilePath, MAX_NAME_BYTES, nameOf, parentOf } from '../../../shared/path.ts'
import { foldName } from '../../../shared/rename.ts'
import type { Db, JobItemsTable, JobsTable } from '../../db/schema.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { TransferNote } from '../../files/transfer.ts'
import type { JobPayloads } from '../../jobs/job-kinds.ts'
import { listItemsAt } from '../../jobs/jobs.store.ts'
import type { ItemResult, Tools } from '../../jobs/run.ts'
import type { Cycle } from './rename-order.ts'

/** The journal of a cycle: each of its moves is recorded before it begins. */
interface CycleNote {
  /** The name that the first item has in between. */
  temp: FilePath
  /** The index of the current move. */
  step: number
  /** Of the items. */
  identities: readonly string[]
  /** Of the current move. */
  move?: TransferNote
}

interface Move {
  from: FilePath
  to: FilePath
  identity: string
}

export interface RenameWork {
  own: Files
  job: JobsTable
  item: JobItemsTable
  db: Db
}

const NEVER_OVER = { override: false, rename: false } as const
const fromOf = ({ source }: JobItemsTable) => source as FilePath
const toOf = ({ source, target }: JobItemsTable) => (target ?? source) as FilePath

/** What is recorded of an item that is in no cycle before it is renamed. */
export async function prepareRename(own: Files, job: JobsTable, item: JobItemsTable): Promise<unknown> {
  if (cycleAt(job, item)) return undefined
  const identity = await own.identify(fromOf(item)).catch(() => undefined)
  if (identity === undefined) return undefined
  return { goal: toOf(item), fresh: true, identity, size: -1, modified: -1 } satisfies TransferNote
}

/** Items that are recorded together: a cycle has to know the results of the items before. */
export const renameBatch = (job: JobsTable, most: number): number => (cyclesOf(job).size > 0 ? 1 : most)

/**
 * Renames an item, or all items of its cycle with the first of them.
 * @throws not_found when another object has its name by now; exists, forbidden
 */
export async function renameItem(work: RenameWork, tools: Tools): Promise<ItemResult> {
  const { job, item, db } = work
  const [start, length] = cycleAt(job, item) ?? [item.position, 1]
  if (length === 1) return renameAlone(work, tools)
  if (item.position > start) return followFirst(db, job, start)
  return renameCycle(work.own, await listItemsAt(db, job.id, { start, count: length }), tools)
}

async function renameAlone({ own, item }: RenameWork, tools: Tools): Promise<ItemResult> {
  if (isCycleNote(tools.noted)) return renameCycle(own, [item], tools)
  const [from, to] = [fromOf(item), toOf(item)]
  const prepared: TransferNote | null = item.journal === null ? null : JSON.parse(item.journal)
  const noted = tools.noted as TransferNote | undefined
  try {
    if (!noted) await demandObject(own, from, prepared?.identity)
    // What was prepared is enough for a move that copies nothing.
    const note = async (now: TransferNote) => (now.made === undefined ? undefined : tools.note(now))
    await own.transfers.move(from, to, {
      ...NEVER_OVER,
      signal: tools.signal,
      progress: tools.progress,
      journal: { noted, note },
    })
  } catch (thrown) {
    if (asAppError(thrown).code !== 'exists' || !(await isSpelling(own, from, to))) throw thrown
    tools.noted = undefined
    return renameCycle(own, [item], tools)
  }
  return { state: 'done' }
}

/** Whether two paths are names of one object on a disk that ignores letter case or Unicode composition. */
async function isSpelling(own: Files, from: FilePath, to: FilePath): Promise<boolean> {
  if (from === to || foldName(nameOf(from)) !== foldName(nameOf(to))) return false
  return (await own.identify(from)) === (await own.identify(to))
}

/** @throws not_found */
async function demandObject(own: Files, path: FilePath, identity: string | undefined): Promise<void> {
  if (identity === undefined || (await own.identify(path)) !== identity) throw new AppError('not_found')
}

/** The result of an item whose cycle the first item has completed. @throws the first item's error */
async function followFirst(db: Db, { id }: JobsTable, start: number): Promise<ItemResult> {
  const [first] = await listItemsAt(db, id, { start, count: 1 })
  if (first?.state !== 'done') throw new AppError((first?.code as AppError['code'] | null) ?? 'not_found')
  return { state: 'done' }
}

/** Completes a cycle also when the job is paused or cancelled: halfway, one item has a temporary name. */
async function renameCycle(own: Files, items: readonly JobItemsTable[], tools: Tools): Promise<ItemResult> {
  const earlier = isCycleNote(tools.noted) ? tools.noted : undefined
  const note = earlier ?? (await beginCycle(own, items))
  if (!earlier) await tools.note(note)
  const moves = movesOf(items, note)
  for (const [step, { from, to, identity }] of moves.entries()) {
    if (step < note.step) continue
    const noted = step === note.step ? note.move : undefined
    if (!noted) await demandObject(own, from, identity)
    const journal = { noted, note: (move: TransferNote) => tools.note({ ...note, step, move } satisfies CycleNote) }
    await own.transfers.move(from, to, { ...NEVER_OVER, journal })
  }
  tools.progress({ entries: items.length })
  return { state: 'done' }
}

async function beginCycle(own: Files, items: readonly JobItemsTable[]): Promise<CycleNote> {
  const identities: string[] = []
  for (const item of items) {
    const identity = await own.identify(fromOf(item))
    if (identity === undefined) throw new AppError('not_found')
    identities.push(identity)
  }
  const [first] = items as readonly [JobItemsTable]
  return { temp: childOf(parentOf(fromOf(first)), temporaryName(nameOf(fromOf(first)))), step: 0, identities }
}

/** An ordinary name, which no clean-up removes: for a moment it is the only one of a user's file. */
function temporaryName(name: string): string {
  const mark = `~${randomBytes(5).toString('hex')}`
  const extension = extensionOf(name)
  const marked = name.slice(0, name.length - extension.length) + mark + extension
  return byteLength(marked) <= MAX_NAME_BYTES ? marked : mark
}

/** The first item steps aside, each other one takes the name that became free, and the first takes the last. */
function movesOf(items: readonly JobItemsTable[], { temp, identities }: CycleNote): Move[] {
  const [first, ...others] = items.map((item, index) => ({
    from: fromOf(item),
    to: toOf(item),
    identity: identities[index] ?? '',
  }))
  if (!first) return []
  return [{ ...first, to: temp }, ...others.reverse(), { ...first, from: temp }]
}

/** Gives the items of an unfinished cycle their old names back; a name that is taken by now gets a number. */
export async function takeBackCycle(own: Files, db: Db, job: JobsTable, item: JobItemsTable): Promise<void> {
  const note: unknown = item.journal === null ? undefined : JSON.parse(item.journal)
  if (!isCycleNote(note)) return
  const [start, count] = cycleAt(job, item) ?? [item.position, 1]
  const moves = movesOf(await listItemsAt(db, job.id, { start, count }), note).slice(0, note.step + 1)
  for (const { from, to, identity } of moves.reverse()) {
    if ((await own.identify(to)) !== identity || (await own.identify(from)) === identity) continue
    await own.transfers.move(to, from, { override: false, rename: true })
  }
}

const isCycleNote = (noted: unknown): noted is CycleNote =>
  typeof noted === 'object' && noted !== null && 'identities' in noted

const parsed = new WeakMap<JobsTable, ReadonlyMap<number, Cycle>>()

/** The cycles of a job by the positions of their items. */
function cyclesOf(job: JobsTable): ReadonlyMap<number, Cycle> {
  const known = parsed.get(job)
  if (known) return known
  const { cycles }: JobPayloads['rename'] = JSON.parse(job.payload)
  const byPosition = new Map<number, Cycle>()
  for (const cycle of cycles) for (let at = 0; at < cycle[1]; at++) byPosition.set(cycle[0] + at, cycle)
  parsed.set(job, byPosition)
  return byPosition
}

const cycleAt = (job: JobsTable, { position }: JobItemsTable): Cycle | undefined => cyclesOf(job).get(position)
