import type { Change, UndoBody, UndoResult, Verdict } from '../../../../shared/api/changes.ts'
import { type FilePath, nameOf, parentOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { dismissUndone, notify } from '../../../lib/notices.ts'
import { openPrompt, promptAfterOthers } from '../../../lib/prompts.ts'
import { queryClient } from '../../../lib/query.ts'
import { currentRoute, filesUrl, navigate } from '../../../lib/router.tsx'
import { fetchChange, fetchOwnChanges, previewUndo, reloadChanges, requestUndo } from '../api/changes.ts'
import { errorMessageOf } from '../api/error-messages.ts'
import { jobErrorOf } from '../api/job-error.ts'
import { finishJob, isPlanned, jobsStore, listJob } from '../api/jobs.ts'
import { reloadFolders } from '../api/list.ts'
import { requestFocus } from '../items/focus-request.ts'
import {
  hopelessReason,
  isUnderWay,
  leftOf,
  needsQuestion,
  nextToRedo,
  nextToUndo,
  REACH,
  type UndoReason,
} from './choose-change.ts'
import { isObstacle, isRedo, obstacleText, subjectText, whyText } from './texts.ts'
import { Turns } from './turns.ts'
import { undoneStore } from './undone.ts'

/** Undoes the newest change of this session. Never rejects; it reports what happened. */
export function undoNewest(): Promise<void> {
  return act(nextToUndo, 'changes.nothing')
}

/** Does again what was undone last. Never rejects; it reports what happened. */
export function redoNewest(): Promise<void> {
  return act(nextToRedo, 'changes.nothingAgain')
}

const turns = new Turns()

const runningJobs = () => jobsStore.get().filter(job => job.ended === undefined && !isPlanned(job))

/** Waits for the undos before it: a key that is pressed meanwhile is about what they lead to. */
function act(
  choose: (changes: readonly Change[]) => Change | undefined,
  nothing: 'changes.nothing' | 'changes.nothingAgain',
): Promise<void> {
  return turns.queue(() =>
    reporting(async () => {
      const change = choose(await fetchOwnChanges(Date.now() - REACH))
      if (isUnderWay(change, runningJobs())) throw new Hopeless(obstacleText('open'))
      if (change) return undo(change, 'key')
      notify('info', t(nothing))
      return true
    }),
  )
}

/**
 * Undoes a change, or does again what an undo undid; asks first where that is needed. Never rejects; it reports what
 * happened.
 */
export function undoChange(change: Change | string, reason: UndoReason): Promise<void> {
  return turns.now(() =>
    reporting(async () => undo(typeof change === 'string' ? await fetchChange(change) : change, reason)),
  )
}

/** @returns what `run` does; `false` if it failed */
async function reporting(run: () => Promise<boolean>): Promise<boolean> {
  return run().catch((error: unknown) => {
    const isHopeless = error instanceof Hopeless
    const reason = isHopeless ? error.message : errorMessageOf(error)
    notify(isHopeless ? 'info' : 'error', t('changes.impossible', { reason }))
    return false
  })
}

/** @returns whether all of it was done */
async function undo(change: Change, reason: UndoReason): Promise<boolean> {
  const answer = await previewUndo(change.id)
  const verdicts = leftOf(answer)
  const why = hopelessReason(verdicts)
  if (why) throw new Hopeless(whyText(why))
  const isWhole = change.counted && (answer.count ?? 0) >= change.count
  if (!needsQuestion(change, verdicts, reason, Date.now())) return carryOut(change, verdicts, {})
  openPrompt('undo', { change, verdicts, isWhole })
  return false
}

/** Nothing can be undone; the message is the reason, for the user. */
class Hopeless extends Error {}

/** Undoes a change as decided, as a job where it is large. Never rejects; it reports what happened. */
export function performUndo(change: Change, verdicts: readonly Verdict[], body: UndoBody): Promise<void> {
  return turns.now(() => reporting(() => carryOut(change, verdicts, body)))
}

/** @returns whether all of it was done */
async function carryOut(change: Change, verdicts: readonly Verdict[], body: UndoBody): Promise<boolean> {
  const outcome = await request(change.id, body)
  const doneHere = outcome.results.filter(({ state }) => state === 'done')
  const back = outcome.results.flatMap(({ path }) => (path === undefined ? [] : [parsePath(path)])).reverse()
  focusFirst(back)
  await reloadAll(verdicts)
  const done = doneHere.length
  if (done > 0) {
    undoneStore.set(change.id)
    dismissUndone(change.id)
    reportDone(change, verdicts, { done: doneHere, next: outcome.change, back })
  }
  const asked = body.steps && new Set(body.steps)
  const failed = outcome.results.filter(
    ({ state, code, position }) => state === 'failed' && code !== 'undone' && (asked?.has(position) ?? true),
  )
  reportLeft(failed, verdicts)
  return done > 0 && failed.length === 0
}

interface Outcome {
  results: readonly UndoResult[]
  /** The id of the change that the undo is. */
  change: string | undefined
}

async function request(id: string, body: UndoBody): Promise<Outcome> {
  const sent = await requestUndo(id, body)
  if ('answer' in sent) return { results: sent.answer.results ?? [], change: sent.answer.change }
  listJob(sent.job)
  const { items, change } = await finishJob(sent.job)
  const results = items.map(({ state, code, to, from }, index): UndoResult => {
    const position = body.steps?.at(-1 - index) ?? -1 - index
    if (state === 'done') return { position, state, ...(to !== undefined && { path: to }) }
    return { position, state: state === 'failed' ? state : 'skipped', path: from, ...(code !== undefined && { code }) }
  })
  return { results, change }
}

interface Done {
  done: readonly UndoResult[]
  next: string | undefined
  /** Where items are now, the first one first. */
  back: readonly FilePath[]
}

function reportDone(change: Change, verdicts: readonly Verdict[], { done, next, back }: Done): void {
  const only = verdicts.find(({ position }) => position === done[0]?.position)?.path
  const names = done.length < change.count && only !== undefined ? [nameOf(parsePath(only))] : change.first
  const what = subjectText({ ...change, count: done.length, first: names }, targetOf(change, verdicts))
  const text = isRedo(change) ? t('changes.redone', { what }) : t('changes.undone', { what })
  const [first] = back
  const isShown = first === undefined || isOnScreen(first)
  if (!isShown) notify('success', text, { label: t('trash.show'), run: () => showItem(first) })
  else if (next === undefined) notify('success', text)
  else {
    const [label, id] = isRedo(change) ? [t('undo.undo'), change.undoes ?? next] : [t('actions.redo'), next]
    notify('success', text, { label, run: () => void undoChange(id, 'notice'), undoes: [id] })
  }
}

/** The folder to which a move led, or leads again; none if there were several. */
function targetOf(change: Change, verdicts: readonly Verdict[]): string | undefined {
  const folders = new Set(
    verdicts
      .filter(({ kind }) => kind === 'move')
      .map(({ path, to = path }) => parentOf(parsePath(isRedo(change) ? to : path))),
  )
  return folders.size === 1 ? [...folders][0] : undefined
}

function isOnScreen(path: FilePath): boolean {
  const route = currentRoute()
  return route.name === 'files' && route.path === parentOf(path)
}

/** Focuses the first item that came back into the folder on the screen. */
function focusFirst(paths: readonly FilePath[]): void {
  const here = paths.find(isOnScreen)
  if (here !== undefined) requestFocus(parentOf(here), nameOf(here))
}

/** Opens the folder of an item, with the focus on it. */
export function showItem(path: FilePath): void {
  requestFocus(parentOf(path), nameOf(path))
  void navigate(filesUrl(parentOf(path), true))
}

/** Loads everything again that an undo may have changed. */
async function reloadAll(verdicts: readonly Verdict[]): Promise<void> {
  for (const { path, kind } of verdicts) {
    if (kind === 'replace')
      for (const key of ['file', 'versions']) void queryClient.invalidateQueries({ queryKey: [key, path] })
  }
  for (const key of ['trash', 'shares']) void queryClient.invalidateQueries({ queryKey: [key] })
  void reloadChanges()
  await reloadFolders()
}

function reportLeft(failed: readonly UndoResult[], verdicts: readonly Verdict[]): void {
  if (failed.length === 0) return
  const known = new Map(verdicts.map(({ position, path }) => [position, path]))
  void promptAfterOthers('error', {
    title: t('changes.failed', { count: failed.length }),
    failures: failed.map(({ position, path, code = '' }) => ({
      name: nameOf(parsePath(known.get(position) ?? path ?? '/')),
      reason: isObstacle(code) ? obstacleText(code) : errorMessageOf(jobErrorOf(code)),
    })),
  })
}
