import type { Change, UndoAnswer, UndoObstacle, Verdict } from '../../../../shared/api/changes.ts'
import type { Job } from '../../../../shared/api/jobs.ts'

/** Milliseconds for which Ctrl+Z reaches back. */
export const REACH = 3_600_000
/** Milliseconds after which what was made is only undone after a question. */
const RECENT = 600_000
/** Steps that are undone without a question. */
const FEW = 20

/** The change that Ctrl+Z undoes, or that it has to wait for. @param changes of this session, the newest first */
export function nextToUndo(changes: readonly Change[]): Change | undefined {
  return changes.find(({ kind, state, undo }) => kind !== 'undo' && (state === 'open' || undo.can))
}

/**
 * Whether an undo has to wait: for the newest change itself, or for a newer job, whose change is recorded later.
 * @param running jobs that have not ended
 */
export function isUnderWay(newest: Change | undefined, running: readonly Pick<Job, 'id' | 'created'>[]): boolean {
  if (!newest) return running.length > 0
  const since = Date.parse(newest.time)
  return newest.state === 'open' || running.some(({ id, created }) => id === newest.job || Date.parse(created) > since)
}

/** The undo that Ctrl+Shift+Z undoes; none once something else was changed after it. @param changes as above */
export function nextToRedo(changes: readonly Change[]): Change | undefined {
  for (const change of changes) {
    if (change.kind !== 'undo') {
      if (change.state === 'undone' || change.undoneBy !== undefined) continue
      return undefined
    }
    if (change.undo.can && change.state !== 'open') return change
  }
  return undefined
}

/** Why an undo begins: on request of a notice about the change, by a key, from a list; or only with a question. */
export type UndoReason = 'notice' | 'key' | 'list' | 'question'

/** Whether an undo needs a question first: it is large, old, or not all of it can be done as it is. */
export function needsQuestion(
  change: Pick<Change, 'time' | 'count'>,
  verdicts: readonly Verdict[],
  reason: UndoReason,
  now: number,
): boolean {
  if (reason === 'question' || verdicts.some(({ can }) => !can)) return true
  if (reason === 'notice') return false
  const isOld = now - Date.parse(change.time) > RECENT
  return change.count > FEW || (isOld && verdicts.some(({ kind }) => kind === 'make'))
}

/** Why nothing can be undone, where there is nothing to choose either; none if there is something to do. */
export function hopelessReason(
  verdicts: readonly Verdict[],
): (Pick<Verdict, 'went'> & { why: UndoObstacle }) | undefined {
  if (verdicts.some(verdict => verdict.can || isChoosable(verdict))) return undefined
  const [{ why = 'gone', went } = {}] = verdicts
  return { why, ...(went && { went }) }
}

/** The steps that are left to undo; all of them if none is. */
export function leftOf({ verdicts = [] }: UndoAnswer): readonly Verdict[] {
  const left = verdicts.filter(({ why }) => why !== 'undone')
  return left.length > 0 ? left : verdicts
}

/** Whether the user can decide what happens to a step. */
export const isChoosable = ({ why, offers }: Pick<Verdict, 'why' | 'offers'>): boolean =>
  why === 'taken' || offers.length > 0
