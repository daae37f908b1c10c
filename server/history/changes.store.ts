import type { ChangeKind } from '../../shared/api/changes.ts'
import { type FilePath, isWithin, nameOf, parentOf, ROOT } from '../../shared/path.ts'
import type { ChangeStepsTable, ChangesTable } from '../db/history-schema.ts'
import { insertNewRow, insertRow, insertRows } from '../db/insert-row.ts'
import { fromStored, toStored } from '../db/paths.ts'
import { statement } from '../db/prepared.ts'
import type { Db } from '../db/schema.ts'
import { storable } from '../db/text.ts'
import type { Recording, Step, StepRecord } from '../files/change-records.ts'
import { findChangeOfJob, namesIn } from './change-queries.store.ts'
import { ulid } from './ulid.ts'

/** Rows per INSERT. */
const INSERTED = 50
/** Milliseconds for which requests with the same id of an action join one change. */
const GESTURE = 86_400_000
/** Names that a change is listed with. */
export const NAMES = 3

/** What of a recording its change is made of. */
export type RecordedAs = Pick<Recording, 'origin' | 'owner' | 'kind' | 'change' | 'undoes'>

export type StepState = ChangeStepsTable['state']

/** Adds steps to the change of a recording, which is made with the first of them. @returns the id of the change */
export async function addSteps(
  db: Db,
  recording: RecordedAs,
  steps: readonly Step[],
  { state = 'done', audit }: { state?: StepState; audit?: number } = {},
): Promise<string> {
  const added = await addToChange(db, recording, steps)
  const reverts = recording.undoes?.position ?? null
  const rows = steps.map(
    (step, index): ChangeStepsTable => ({
      change: added.id,
      position: added.position + index,
      kind: step.kind,
      place: toStored(step.place),
      target: step.target === undefined ? null : toStored(step.target),
      is_folder: step.isFolder ? 1 : 0,
      was: step.was ?? null,
      made: step.made ?? null,
      stamp: step.stamp ?? null,
      kept: step.kept ?? null,
      settings: step.settings ?? null,
      reverts,
      audit: audit ?? null,
      rewound_by: null,
      rewound_at: null,
      state,
    }),
  )
  await insertRows(db, 'change_steps', rows, INSERTED)
  return added.id
}

interface Added {
  id: string
  /** Of the first added step. */
  position: number
}

async function addToChange(db: Db, recording: RecordedAs, steps: readonly Step[]): Promise<Added> {
  const sums = sumsOf(recording, steps)
  const known = recording.change ?? (await changeOfAction(db, recording))
  return (known !== undefined && (await extendChange(db, known, sums))) || insertChange(db, recording, sums)
}

interface Sums {
  steps: number
  undoable: number
  bytes: number
  folder: FilePath
  names: string[]
  kind: ChangeKind
}

function sumsOf(recording: RecordedAs, steps: readonly Step[]): Sums {
  const undone = recording.undoes?.change
  const redoes = undone?.undoes !== undefined || undone?.kind === 'rewind'
  const places = steps.flatMap(({ place, target }) => (target === undefined ? [place] : [place, target]))
  return {
    steps: steps.length,
    undoable: redoes ? 0 : steps.filter(isUndoable).length,
    bytes: steps.reduce((sum, { size = 0 }) => sum + size, 0),
    folder: places.map(parentOf).reduce(common),
    names: steps.slice(0, NAMES).map(({ place, target }) => nameOf(target ?? place)),
    kind: recording.kind ?? 'upload',
  }
}

/** A permanent deletion cannot be undone, nor what replaced a content that was not kept. */
export const isUndoable = ({ kind, kept }: Pick<Step, 'kind' | 'kept'>): boolean =>
  kind !== 'purge' && (kind !== 'replace' || kept !== undefined)

/** Of places in two roots it is the whole of the first one. */
export function common(a: FilePath, b: FilePath): FilePath {
  let folder = a
  while (folder !== ROOT && !isWithin(b, folder)) folder = parentOf(folder)
  return folder
}

/** The change of an earlier request of the same action, or of an earlier item of the same job. */
export async function changeOfAction(db: Db, { origin, owner }: RecordedAs): Promise<string | undefined> {
  if (origin.job !== undefined) return findChangeOfJob(db, origin.job)
  if (origin.gesture === undefined) return undefined
  const [row] = (await ofGesture(db, { user: owner?.id ?? 0, gesture: gestureOf(origin) })).rows
  if (!row || Number(row.at) > Date.now() - GESTURE) return row?.id
  await db.updateTable('changes').set({ gesture: null }).where('id', '=', row.id).execute()
  return undefined
}

const ofGesture = statement<{ user: number; gesture: string }, { id: string; at: number }>(({ db, value }) =>
  db
    .selectFrom('changes')
    .select(['id', 'at'])
    .where('user_id', '=', value('user'))
    .where('gesture', '=', value('gesture')),
)

const gestureOf = ({ session, gesture = '' }: Recording['origin']): string => storable(`${session}:${gesture}`)

async function insertChange(db: Db, recording: RecordedAs, sums: Sums): Promise<Added> {
  const { origin, owner, undoes } = recording
  const now = Date.now()
  const id = ulid(now)
  const isShared = origin.job !== undefined || origin.gesture !== undefined
  const row = {
    id,
    at: now,
    ended_at: now,
    user_id: owner?.id ?? 0,
    username: storable(owner?.username ?? ''),
    way: origin.way,
    session: origin.session,
    visitor: origin.visitor === undefined ? null : storable(origin.visitor),
    kind: sums.kind,
    gesture: origin.gesture === undefined || origin.job !== undefined ? null : gestureOf(origin),
    job: origin.job ?? null,
    undoes: undoes?.change.id ?? null,
    undone_by: null,
    folder: toStored(sums.folder),
    steps: sums.steps,
    undoable: sums.undoable,
    bytes: sums.bytes,
    facts: factsOf(sums.names),
  }
  if (!isShared) {
    await insertRow(db, 'changes', row)
    return { id, position: 0 }
  }
  if (await insertNewRow(db, 'changes', row)) return { id, position: 0 }
  // Another server made it just now.
  const other = await changeOfAction(db, recording)
  const added = other === undefined ? undefined : await extendChange(db, other, sums)
  return added ?? insertChange(db, recording, sums)
}

/** @returns nothing when the change is not there any more */
async function extendChange(db: Db, id: string, sums: Sums): Promise<Added | undefined> {
  const { steps, undoable, bytes } = sums
  const [row] = (await addSums(db, { id, steps, undoable, bytes, now: Date.now() })).rows
  if (!row) return undefined
  const names: string[] = namesIn(row.facts)
  const folder = common(fromStored(row.folder) as FilePath, sums.folder)
  // A folder is made before what is uploaded into it.
  const kind = row.kind === 'create' ? sums.kind : row.kind
  if (names.length < NAMES || toStored(folder) !== row.folder || kind !== row.kind) {
    const facts = factsOf([...names, ...sums.names].slice(0, NAMES))
    await db
      .updateTable('changes')
      .set({ folder: toStored(folder), facts, kind })
      .where('id', '=', id)
      .execute()
  }
  return { id, position: row.steps - sums.steps }
}

type Grown = Pick<ChangesTable, 'steps' | 'folder' | 'facts' | 'kind'>

const addSums = statement<{ id: string; steps: number; undoable: number; bytes: number; now: number }, Grown>(
  ({ db, value }) =>
    db
      .updateTable('changes')
      .set(eb => ({
        steps: eb('steps', '+', value('steps')),
        undoable: eb('undoable', '+', value('undoable')),
        bytes: eb('bytes', '+', value('bytes')),
        ended_at: value('now'),
      }))
      .where('id', '=', value('id'))
      .returning(['steps', 'folder', 'facts', 'kind']),
)

export const factsOf = (names: readonly string[]): string => JSON.stringify(names.map(toStored))

/** Writes steps whose effects are done; a repeated request corrects the step of the one before. */
export async function writeSteps(db: Db, recording: RecordedAs, steps: readonly Step[], audit?: number): Promise<void> {
  if (steps.length === 0) return
  const { gesture, job } = recording.origin
  const isRepeatable = gesture !== undefined && job === undefined && steps.some(({ kind }) => kind === 'replace')
  const known = isRepeatable ? await changeOfAction(db, recording) : undefined
  const others = await mergeRepeated(db, known, steps)
  recording.change =
    others.length === 0 ? known : await addSteps(db, recording, others, audit === undefined ? {} : { audit })
}

/** A write over a file that the same change has written is no other step: a repeated request. @returns the others */
async function mergeRepeated(db: Db, change: string | undefined, steps: readonly Step[]): Promise<readonly Step[]> {
  if (change === undefined) return steps
  const others: Step[] = []
  for (const step of steps) {
    const merged = step.kind === 'replace' && (await updateMade(db, change, step))
    if (!merged) others.push(step)
  }
  return others
}

async function updateMade(db: Db, change: string, { place, was, made, stamp }: Step): Promise<boolean> {
  const now = { made: made ?? null, stamp: stamp ?? null }
  const { numAffectedRows = 0n } = await setMade(db, { change, place: toStored(place), was: was ?? '', ...now })
  return numAffectedRows > 0n
}

interface MadeAgain {
  change: string
  place: string
  was: string
  made: string | null
  stamp: string | null
}

const setMade = statement<MadeAgain>(({ db, value }) =>
  db
    .updateTable('change_steps')
    .set({ made: value('made'), stamp: value('stamp') })
    .where('change', '=', value('change'))
    .where('place', '=', value('place'))
    .where('made', '=', value('was'))
    .where('kind', 'in', ['make', 'replace'])
    .where('state', '=', 'done'),
)

/** Changes the state of a step that is in another one. @returns whether it was */
export async function changeStep(
  db: Db,
  { change, position }: Pick<StepRecord, 'change' | 'position'>,
  [from, to]: readonly [StepState, StepState],
  more: Partial<Omit<ChangeStepsTable, 'change' | 'position' | 'state'>> = {},
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('change_steps')
    .set({ ...more, state: to })
    .where('change', '=', change)
    .where('position', '=', position)
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countUndoable(db: Db, change: string, by: number): Promise<void> {
  await db
    .updateTable('changes')
    .set(eb => ({ undoable: eb('undoable', '+', by) }))
    .where('id', '=', change)
    .execute()
}

export async function setUndoneBy(db: Db, change: string, by: string): Promise<void> {
  await db.updateTable('changes').set({ undone_by: by }).where('id', '=', change).execute()
}

/** Forgets which change undid this one, once all its steps are done again. */
export async function clearUndoneBy(db: Db, change: string): Promise<void> {
  const undone = db
    .selectFrom('change_steps')
    .select('position')
    .where('change', '=', change)
    .where('state', '=', 'undone')
  await db
    .updateTable('changes')
    .set({ undone_by: null })
    .where('id', '=', change)
    .where(eb => eb.not(eb.exists(undone)))
    .execute()
}

export function inTransaction(db: Db, act: (transaction: Db) => Promise<void>): Promise<void> {
  return db.transaction().execute(act)
}
