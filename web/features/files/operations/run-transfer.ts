import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, isWithin, nameOf, parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { currentRoute } from '../../../lib/router.tsx'
import { sessionStore } from '../../../lib/session.ts'
import { type Failure, tryEach } from '../api/each.ts'
import { knownFolder, reloadFolders } from '../api/list.ts'
import { removeResource } from '../api/remove.ts'
import { type TransferAction, transferResource } from '../api/transfer.ts'
import { requestFocus } from '../items/focus-request.ts'
import { checkConflicts, decide, type FoundConflicts, NO_CONFLICTS } from './find-conflicts.ts'
import { moveItem } from './move.ts'
import { type OptimisticRemoval, removeOptimistically } from './optimistic-removal.ts'
import { planSteps, requestFor, type Step } from './plan-transfer.ts'
import { reportFailures } from './report-failures.ts'
import { isQuick, runAsJob } from './run-as-job.ts'
import { offerUndo } from './undo.ts'

/** The outcome of the steps so far. */
interface Outcome {
  done: Step[]
  conflicts: Step[]
  failures: Failure<Step>[]
}

/** Copies or moves: steps without conflicts at once, the rest as decided. */
export async function runTransfer(
  action: TransferAction,
  items: readonly ResourceItem[],
  destination: FilePath,
): Promise<void> {
  const steps = planSteps(action, items, destination, knownFolder(destination)?.items.map(item => item.name) ?? [])
  if (steps.length === 0) return
  const foundConflicts = isSingle(steps) ? NO_CONFLICTS : await checkConflicts(steps)
  const isFree = (step: Step) => step.numbered || (foundConflicts.more === 0 && !foundConflicts.found.has(step))
  const performDecided = async (asked: readonly Step[], seen: FoundConflicts) =>
    perform(action, await decide(asked, seen, destination))
  const taken = steps.filter(step => !isFree(step))
  const outcomes = await Promise.all([perform(action, steps.filter(isFree)), performDecided(taken, foundConflicts)])
  // Conflicts that the check did not find.
  const late = outcomes.flatMap(({ conflicts }) => conflicts)
  if (late.length > 0) outcomes.push(await performDecided(late, await checkConflicts(late)))
  await reportDone(
    action,
    outcomes.flatMap(({ done }) => done),
    destination,
  )
  const failures = outcomes.flatMap(outcome => outcome.failures)
  reportFailures(
    t(action === 'copy' ? 'transfer.copyFailed' : 'transfer.moveFailed', { count: failures.length }),
    failures.map(({ item: step, error }) => ({ item: step.item, error })),
    failed => void runTransfer(action, failed, destination),
  )
}

async function perform(action: TransferAction, steps: readonly Step[]): Promise<Outcome> {
  const outcome: Outcome = { done: [], conflicts: [], failures: [] }
  if (steps.length === 0) return outcome
  const leaving = action === 'move' ? removeOptimistically(steps.filter(canLeave).map(step => step.item)) : undefined
  const failures = await sendAll(action, steps, outcome.done, leaving)
  leaving?.end()
  if (outcome.done.length > 0) void reloadFolders()
  outcome.conflicts = failures.filter(isConflict).map(({ item }) => item)
  outcome.failures = failures.filter(failure => !isConflict(failure))
  return outcome
}

function sendAll(
  action: TransferAction,
  steps: readonly Step[],
  done: Step[],
  leaving: OptimisticRemoval | undefined,
): Promise<Failure<Step>[]> {
  const arrived = (step: Step) => {
    done.push(step)
    leaving?.confirm(step.item)
  }
  if (isSingle(steps)) return tryEach(steps, async step => arrived(await sendStep(action, step)))
  const request = requestFor(action, steps)
  return runAsJob(steps, request, (step, { to = step.to }) => arrived({ ...step, to: parsePath(to) }))
}

/** Whether the call for a single item can express the step. */
const isSingle = (steps: readonly Step[]) =>
  steps.every(({ decided }) => !decided) && isQuick(steps.map(({ item }) => item))

/** Sends one step; the server chooses another number if the name is taken by then. */
async function sendStep(action: TransferAction, step: Step): Promise<Step> {
  try {
    await transferResource(action, step)
    return step
  } catch (error) {
    if (!step.numbered || !(error instanceof ApiError) || error.status !== 409) throw error
    await transferResource(action, { ...step, rename: true })
    // The final path is unknown, so it can't be undone.
    return { ...step, decided: {} }
  }
}

/** A folder moved into itself stays in place, and the server reports it. */
const canLeave = ({ from, to }: Step) => !isWithin(to, from)

const isConflict = ({ item, error }: Failure<Step>) =>
  error instanceof ApiError && error.status === 409 && !item.decided && !item.numbered

async function reportDone(action: TransferAction, done: readonly Step[], destination: FilePath): Promise<void> {
  if (done.length === 0) return
  const route = currentRoute()
  const [first] = done
  if (first && route.name === 'files' && route.path === destination) requestFocus(destination, nameOf(first.to))
  const name = nameOf(destination) || t('files.home')
  const text = t(action === 'copy' ? 'transfer.copiedTo' : 'transfer.movedTo', { count: done.length, name })
  // A replacement can't be undone.
  const clean = done.filter(step => !step.decided)
  const mayUndo = action === 'move' || (sessionStore.get().user?.perm.delete ?? false)
  if (clean.length > 0 && mayUndo) offerUndo(text, () => undoSteps(action, clean), { removes: action === 'copy' })
  else notify('success', text)
  await reloadFolders()
}

async function undoSteps(action: TransferAction, done: readonly Step[]): Promise<void> {
  const back = async ({ item, from, to }: Step): Promise<void> => {
    if (action === 'copy') await removeResource(to)
    else await moveItem(item, { from: to, to: from })
  }
  const [failure] = await tryEach(done, back)
  await reloadFolders()
  if (failure) throw failure.error
}
