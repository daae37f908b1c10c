import type { ActivityItem } from '../../../shared/api/activity.ts'
import type { Change, ChangeStep, UndoResult, Verdict } from '../../../shared/api/changes.ts'
import type { SeenActivity } from '../../files/activity.ts'
import type { SeenChange, SeenStep } from '../../files/history.ts'
import { linkChanges } from '../../files/link-changes.ts'
import type { UndoOutcome, UndoVerdict } from '../../files/undo.ts'
import { rfc3339 } from '../../responses/serializers.ts'

const DAY = 86_400_000

/** Days after which changes are forgotten, and deleted items expire; 0 for no limit. */
export interface Lifetimes {
  historyDays: number
  trashDays: number
}

/** A change as in the API. */
export function presentChange(seen: SeenChange, lifetimes: Lifetimes): Change {
  const { record, isOwn, isOfSession, isNamed, count, isCounted, folder, first } = seen
  return {
    id: record.id,
    time: rfc3339(record.at),
    user: isNamed ? record.username : '',
    mine: isOwn,
    ofSession: isOfSession,
    way: record.way,
    ...(record.visitor !== undefined && { visitor: isNamed ? record.visitor : '' }),
    kind: record.kind,
    state: stateOf(seen),
    count,
    counted: isCounted,
    bytes: isCounted && count === record.steps ? record.bytes : 0,
    folder,
    first: [...first],
    undo: undoOf(seen, lifetimes),
    ...(record.undoneBy !== undefined && { undoneBy: record.undoneBy }),
    ...(record.undoes !== undefined && { undoes: record.undoes }),
    ...(record.about && { about: record.about }),
    ...(record.job !== undefined && { job: record.job }),
  }
}

function stateOf({ record }: SeenChange): Change['state'] {
  if (record.isOpen) return 'open'
  if (record.undoneBy === undefined) return 'done'
  return record.undoable > 0 ? 'partly' : 'undone'
}

/** The kinds of changes that delete for good. */
const FINAL: ReadonlySet<string> = new Set(['purge', 'expire'])

function undoOf({ record }: SeenChange, { historyDays, trashDays }: Lifetimes): Change['undo'] {
  if (record.undoable > 0) {
    const days = [historyDays, record.kind === 'delete' ? trashDays : 0].filter(count => count > 0)
    return { can: true, ...(days.length > 0 && { until: rfc3339(record.at + Math.min(...days) * DAY) }) }
  }
  const isUndone = record.undoneBy !== undefined || record.kind === 'undo'
  return { can: false, why: isUndone ? 'undone' : FINAL.has(record.kind) ? 'final' : 'gone' }
}

/** A line of a timeline as in the API. */
export const presentActivity = (seen: SeenActivity, lifetimes: Lifetimes): ActivityItem => ({
  ...presentChange(seen, lifetimes),
  step: presentStep(seen.step),
})

/** A step as in the API. */
export function presentStep({ step, path, to }: SeenStep): ChangeStep {
  return {
    position: step.position,
    kind: step.kind,
    path,
    ...(to !== undefined && { to }),
    isDir: step.isFolder,
    state: step.state,
    ...(step.kept !== undefined && { kept: step.kept }),
    ...(step.settings !== undefined && { settings: linkChanges(step.settings) }),
  }
}

/** A verdict as in the API. */
export function presentVerdict({ seen: { step }, path, to, why, went, offers }: UndoVerdict): Verdict {
  return {
    position: step.position,
    kind: step.kind,
    path,
    ...(to !== undefined && { to }),
    isDir: step.isFolder,
    can: why === undefined,
    ...(why !== undefined && { why }),
    ...(went && { went: { how: went.how, time: rfc3339(went.at) } }),
    offers: [...offers],
  }
}

/** A result as in the API. */
export function presentOutcome({ position, state, path, code }: UndoOutcome): UndoResult {
  return {
    position,
    state,
    ...(path !== undefined && { path }),
    ...(code !== undefined && { code }),
  }
}
