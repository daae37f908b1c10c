import type { AlongAudit } from '../audit/audit.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Db } from '../db/schema.ts'
import type {
  ChangeRecord,
  ChangeRecords,
  Recording,
  Rewound,
  Step,
  StepRecord,
  Taken,
  Undone,
} from '../files/change-records.ts'
import { findRelocation, findTrashStep, listChanges, stepsTouching, touchingChanges } from './activity.store.ts'
import {
  changesOfAudit,
  findChange,
  findChangeOfJob,
  findStep,
  findSuccessor,
  listSteps,
} from './change-queries.store.ts'
import { changeStep, clearUndoneBy, countUndoable, inTransaction, setUndoneBy, writeSteps } from './changes.store.ts'
import { changeState, endOf } from './kept.store.ts'
import { noteDoneAgain, noteRewound, ownSteps, stepsAfter } from './rewound.store.ts'
import { endAhead, linkAudit } from './steps-ahead.store.ts'
import { completeVersion } from './versions.store.ts'

/** The recorded changes, and how the sides that record requests and jobs write them. */
export interface RecordedChanges extends ChangeRecords {
  /** Lets the steps of a recording be written in the transaction of its row of the audit log. */
  along(recording: Recording): AlongAudit | undefined
  /** Announces that the change of a recording was made or has grown. */
  announce(recording: Recording): void
  /** The ids of the changes to which rows of the audit log belong, by the rows' ids. */
  ofAudit(rows: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** The id of the change that a job made. */
  ofJob(job: string): Promise<string | undefined>
}

/**
 * The recorded changes in the database; see docs/design/history.md for the order of writes.
 * @param onSteps called with steps of a user that were written after their effects
 */
export function changeRecords(
  db: Db,
  cluster: Pick<Cluster, 'publish'>,
  onSteps: (userId: number, steps: readonly Step[]) => void = () => {},
): RecordedChanges {
  const announce = (recording: Recording) => {
    const { change, owner } = recording
    for (const place of recording.takeTrashed()) cluster.publish('trash.changed', { place })
    if (change !== undefined) cluster.publish('changes.changed', { id: change, userId: owner?.id ?? 0 })
  }
  return {
    along(recording) {
      const taken = recording.take()
      const { steps, ahead, settled } = taken
      if (steps.length === 0 && ahead.length === 0 && settled.length === 0) return undefined
      return async (transaction, audit) => {
        await linkAudit(transaction, recording.change, ahead, audit)
        await writeTaken(transaction, recording, taken, audit)
        onSteps(recording.owner?.id ?? 0, written(taken))
      }
    },
    announce,
    ofAudit: rows => changesOfAudit(db, rows),
    ofJob: job => findChangeOfJob(db, job),
    find: id => findChange(db, id),
    list: (filter, limit) => listChanges(db, filter, limit),
    steps: (change, from, limit, down = false) => listSteps(db, change, { from, limit, down }),
    step: (change, position) => findStep(db, change, position),
    touching: (where, filter, limit) => touchingChanges(db, where, filter, limit),
    stepsTouching: (change, where, limit) => stepsTouching(db, change, where, limit),
    relocation: (places, before) => findRelocation(db, places, before),
    trashStep: kept => findTrashStep(db, kept),
    ended: kept => endOf(db, kept),
    successor: (place, identity) => findSuccessor(db, place, identity),
    after: (time, under, limit) => stepsAfter(db, time, under, limit),
    own: recording => ownSteps(db, recording),
    async write(recording, undone) {
      if (!recording.isPending && !undone) return
      const taken = recording.take()
      await inTransaction(db, async transaction => {
        await writeTaken(transaction, recording, taken)
        if (undone) await note(transaction, undone, recording)
      })
      onSteps(recording.owner?.id ?? 0, written(taken))
      announce(recording)
      if (undone && 'step' in undone) announceChange(cluster, undone.change)
    },
  }
}

const announceChange = (cluster: Pick<Cluster, 'publish'>, { id, userId }: ChangeRecord) =>
  cluster.publish('changes.changed', { id, userId })

/** The steps whose effects are done. */
const written = ({ steps, settled }: Taken): Step[] => [...settled.map(({ step }) => step), ...steps]

async function writeTaken(
  db: Db,
  recording: Recording,
  { steps, settled }: Pick<Taken, 'steps' | 'settled'>,
  audit?: number,
): Promise<void> {
  for (const { step, now } of settled) {
    if (now) await completeVersion(db, step.kept, now)
    else if (step.kind === 'trash') await changeState(db, step.kept, 'open', 'kept')
    await endAhead(db, step, audit)
  }
  await writeSteps(db, recording, steps, audit)
}

async function note(db: Db, undone: Undone | Rewound, recording: Recording): Promise<void> {
  if ('step' in undone) return noteUndone(db, undone, recording)
  if (recording.change !== undefined) await noteRewound(db, recording.change, undone)
}

/**
 * Notes that a step was undone. The step of an undo leads back to the one that it undid, which then is done again, as
 * the recording says.
 */
async function noteUndone(db: Db, { change, step }: Undone, recording: Recording | undefined): Promise<void> {
  if (!(await changeStep(db, step, ['done', 'undone']))) return
  await countUndoable(db, change.id, -1)
  if (recording?.change !== undefined) await setUndoneBy(db, change.id, recording.change)
  if (change.kind === 'rewind') return noteDoneAgain(db, step, recording?.latest ?? [])
  if (change.undoes === undefined || step.reverts === undefined || !recording) return
  const first = await findStep(db, change.undoes, step.reverts)
  const again = first && recording.latest.findLast(({ kind }) => kindsAgain(first).includes(kind))
  if (!first || !again || !(await changeStep(db, first, ['undone', 'done'], whatIsNow(first, again)))) return
  await countUndoable(db, first.change, 1)
  await clearUndoneBy(db, first.change)
}

/**
 * What the undo of an undo records for a step: the same, except that something made comes back from the trash, and that
 * a file that gave way to a moved one was made again in between, and goes to the trash.
 */
function kindsAgain({ kind }: StepRecord): readonly Step['kind'][] {
  if (kind === 'make') return ['restore']
  return kind === 'replace' ? ['replace', 'trash'] : [kind]
}

function whatIsNow(first: StepRecord, { kind, was, made, stamp, kept }: Step) {
  if (kind === 'trash') return { kind, was: was ?? null, kept: kept ?? null }
  if (first.kind === 'replace')
    return { was: was ?? null, made: made ?? null, stamp: stamp ?? null, kept: kept ?? null }
  return { ...(made !== undefined && { made }), ...(stamp !== undefined && { stamp }) }
}
