import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, isWithin, nameOf, parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { type Decision, promptAfterOthers } from '../../../lib/prompts.ts'
import { queryClient } from '../../../lib/query.ts'
import { currentRoute } from '../../../lib/router.tsx'
import { sessionStore } from '../../../lib/session.ts'
import { type Failure, tryEach } from '../api/each.ts'
import { folderQuery, isFolder, knownFolder, reloadFolders } from '../api/list.ts'
import { removeResource } from '../api/remove.ts'
import { type TransferAction, transferResource } from '../api/transfer.ts'
import { requestFocus } from '../focus-request.ts'
import { tellFailures } from '../tell-failures.ts'
import { offerUndo } from '../undo.ts'
import { doTogether, isQuick } from './deeds.ts'
import { type Leaving, leave } from './leaving.ts'
import { afterDecisions, planSteps, type Step } from './plan.ts'

/** What has become of the steps so far. */
interface Outcome {
  done: Step[]
  conflicts: Step[]
  failures: Failure<Step>[]
}

/** Copies or moves: first all that is free to go, then what was decided about the rest. */
export async function runTransfer(
  action: TransferAction,
  items: readonly ResourceItem[],
  destination: FilePath,
): Promise<void> {
  const taken = knownFolder(destination)?.items.map(item => item.name) ?? []
  const steps = planSteps(action, items, destination, taken)
  if (steps.length === 0) return
  const outcome = await perform(action, steps)
  if (outcome.done.length > 0) void reloadFolders()
  const decided = await decide(outcome.conflicts, destination)
  const second = await perform(action, decided)
  const done = [...outcome.done, ...second.done]
  await tellDone(action, done, destination)
  // What stands in the way once more was changed by somebody else meanwhile.
  const again = second.conflicts.map(step => ({ item: step, error: new ApiError(409, '') }))
  const failures = [...outcome.failures, ...second.failures, ...again]
  tellFailures(
    t(action === 'copy' ? 'transfer.copyFailed' : 'transfer.moveFailed', { count: failures.length }),
    failures.map(({ item: step, error }) => ({ item: step.item, error })),
    failed => void runTransfer(action, failed, destination),
  )
}

async function perform(action: TransferAction, steps: readonly Step[]): Promise<Outcome> {
  const outcome: Outcome = { done: [], conflicts: [], failures: [] }
  if (steps.length === 0) return outcome
  const leaving = action === 'move' ? leave(steps.filter(canLeave).map(step => step.item)) : undefined
  const failures = await sendAll(action, steps, outcome.done, leaving)
  leaving?.end()
  outcome.conflicts = failures.filter(isConflict).map(({ item }) => item)
  outcome.failures = failures.filter(failure => !isConflict(failure))
  return outcome
}

function sendAll(
  action: TransferAction,
  steps: readonly Step[],
  done: Step[],
  leaving: Leaving | undefined,
): Promise<Failure<Step>[]> {
  const arrived = (step: Step) => {
    done.push(step)
    leaving?.confirm(step.item)
  }
  if (steps.every(isSimple) && isQuick(steps.map(({ item }) => item))) {
    return tryEach(steps, async step => arrived(await sendStep(action, step)))
  }
  const items = steps.map(({ from, to, conflict, numbered }) => {
    const choice: Decision | undefined = conflict ?? (numbered ? 'keepBoth' : undefined)
    return { from, to, ...(choice ? { conflict: choice } : {}) }
  })
  return doTogether(steps, { kind: action, items }, (step, { to = step.to }) => arrived({ ...step, to: parsePath(to) }))
}

/** Whether the call for a single thing can say what is wanted. */
const isSimple = ({ conflict }: Step) => conflict === undefined || conflict === 'replace'

/** Sends one step; a number that was taken after all is left to the server to choose. */
async function sendStep(action: TransferAction, step: Step): Promise<Step> {
  try {
    await transferResource(action, { ...step, override: step.conflict === 'replace' })
    return step
  } catch (error) {
    if (!step.numbered || !(error instanceof ApiError) || error.status !== 409) throw error
    await transferResource(action, { ...step, rename: true })
    // Where it went is not known, so that it can't be undone.
    return { ...step, conflict: 'replace' }
  }
}

/** A folder that is to go into itself stays, and the server says so. */
const canLeave = ({ from, to }: Step) => !isWithin(to, from)

const isConflict = ({ item, error }: Failure<Step>) =>
  error instanceof ApiError && error.status === 409 && !item.conflict && !item.numbered

/** Asks what becomes of those whose name is taken. */
async function decide(conflicts: readonly Step[], destination: FilePath): Promise<Step[]> {
  if (conflicts.length === 0) return []
  const standing = await entriesOf(destination)
  let decisions: readonly Decision[] = []
  await promptAfterOthers('replace-rename', {
    conflicts: conflicts.map(({ item }) => ({ ours: item, theirs: standing.get(item.name) })),
    onDecide: decided => {
      decisions = decided
    },
  })
  return afterDecisions(conflicts, decisions, standing.keys())
}

async function entriesOf(folder: FilePath): Promise<ReadonlyMap<string, ResourceItem>> {
  const query = { ...folderQuery(folder), staleTime: 0 }
  const resource = await queryClient.fetchQuery(query).catch(() => undefined)
  const items = resource && isFolder(resource) ? resource.items : []
  return new Map(items.map(item => [item.name, item]))
}

async function tellDone(action: TransferAction, done: readonly Step[], destination: FilePath): Promise<void> {
  if (done.length === 0) return
  const route = currentRoute()
  const [first] = done
  if (first && route.name === 'files' && route.path === destination) requestFocus(destination, nameOf(first.to))
  const name = nameOf(destination) || t('files.home')
  const text = t(action === 'copy' ? 'transfer.copiedTo' : 'transfer.movedTo', { count: done.length, name })
  // What replaced something can't be taken back.
  const clean = done.filter(step => !step.conflict)
  const mayUndo = action === 'move' || (sessionStore.get().user?.perm.delete ?? false)
  if (clean.length > 0 && mayUndo) offerUndo(text, () => takeBack(action, clean), { removes: action === 'copy' })
  else notify('success', text)
  await reloadFolders()
}

async function takeBack(action: TransferAction, done: readonly Step[]): Promise<void> {
  const back = ({ from, to }: Step) =>
    action === 'copy' ? removeResource(to) : transferResource('move', { from: to, to: from })
  const [failure] = await tryEach(done, back)
  await reloadFolders()
  if (failure) throw failure.error
}
