import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { type FilePath, isWithin, nameOf } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { currentRoute } from '../../../lib/router.tsx'
import { knownFolder, reloadFolders } from '../api/list.ts'
import type { TransferAction } from '../api/resource.ts'
import type { Failure } from '../api/try-each.ts'
import { requestFocus } from '../items/focus-request.ts'
import { checkConflicts, decide, type FoundConflicts, NO_CONFLICTS } from './find-conflicts.ts'
import { removeOptimistically } from './optimistic-removal.ts'
import { planSteps, type Step, type TransferOrder } from './plan-transfer.ts'
import { reportFailures } from './report-failures.ts'
import { isSingleCall, sendSteps } from './send-steps.ts'
import { ifTrash, offerUndo } from './undo.ts'

/** The outcome of the steps so far. */
interface Outcome {
  done: Step[]
  /** The id of the change. */
  change: string | undefined
  conflicts: Step[]
  failures: Failure<Step>[]
}

/**
 * Copies or moves: steps without conflicts at once, the rest as decided.
 * @param begun called, also repeatedly, once a cancelled question no longer cancels all of it
 */
export async function runTransfer(
  order: TransferOrder,
  items: readonly ResourceItem[],
  destination: FilePath,
  begun?: () => void,
): Promise<void> {
  const { action } = order
  const steps = planSteps(action, items, destination, knownFolder(destination)?.items.map(item => item.name) ?? [])
  if (steps.length === 0) return
  const foundConflicts = isSingleCall(order, steps) ? NO_CONFLICTS : await checkConflicts(steps)
  const isFree = (step: Step) => step.numbered || (foundConflicts.more === 0 && !foundConflicts.found.has(step))
  const performSteps = (some: readonly Step[]) => perform(order, some, begun)
  const performDecided = async (asked: readonly Step[], seen: FoundConflicts) =>
    performSteps(await decide(asked, seen, destination))
  const taken = steps.filter(step => !isFree(step))
  const outcomes = await Promise.all([performSteps(steps.filter(isFree)), performDecided(taken, foundConflicts)])
  // Conflicts that the check did not find.
  const late = outcomes.flatMap(({ conflicts }) => conflicts)
  if (late.length > 0) outcomes.push(await performDecided(late, await checkConflicts(late)))
  await reportDone(
    action,
    outcomes.flatMap(({ done }) => done),
    outcomes.map(({ change }) => change),
    destination,
  )
  const failures = outcomes.flatMap(outcome => outcome.failures)
  reportFailures(
    t(action === 'copy' ? 'transfer.copyFailed' : 'transfer.moveFailed', { count: failures.length }),
    failures.map(({ item: step, error }) => ({ item: step.item, error })),
    failed => void runTransfer(order, failed, destination),
  )
}

async function perform(order: TransferOrder, steps: readonly Step[], begun?: () => void): Promise<Outcome> {
  const outcome: Outcome = { done: [], change: undefined, conflicts: [], failures: [] }
  if (steps.length === 0) return outcome
  // A single call may still be refused for a conflict.
  if (!isSingleCall(order, steps)) begun?.()
  const leaving =
    order.action === 'move' ? removeOptimistically(steps.filter(canLeave).map(step => step.item)) : undefined
  const { failures, change } = await sendSteps(order, steps, step => {
    begun?.()
    outcome.done.push(step)
    leaving?.confirm(step.item)
  })
  leaving?.end()
  if (outcome.done.length > 0) void reloadFolders()
  outcome.change = change
  outcome.conflicts = failures.filter(isConflict).map(({ item }) => item)
  outcome.failures = failures.filter(failure => !isConflict(failure))
  return outcome
}

/** A folder moved into itself stays in place, and the server reports it. */
const canLeave = ({ from, to }: Step) => !isWithin(to, from)

const isConflict = ({ item, error }: Failure<Step>) =>
  error instanceof ApiError && error.status === 409 && !item.decided && !item.numbered

async function reportDone(
  action: TransferAction,
  done: readonly Step[],
  changes: readonly (string | undefined)[],
  destination: FilePath,
): Promise<void> {
  const [first] = done
  if (!first) return
  const route = currentRoute()
  if (route.name === 'files' && route.path === destination) requestFocus(destination, nameOf(first.to))
  const name = nameOf(destination) || t('files.home')
  const item = shownName(nameOf(first.to))
  const text = t(action === 'copy' ? 'transfer.copiedTo' : 'transfer.movedTo', { count: done.length, item, name })
  offerUndo(text, action === 'copy' ? ifTrash(changes) : changes)
  await reloadFolders()
}
