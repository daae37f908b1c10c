import type { UndoObstacle } from '../../shared/api/changes.ts'
import { type FilePath, isWithin, parentOf, ROOT } from '../../shared/path.ts'
import type { Effect } from '../../shared/permissions.ts'
import { AppError, asAppError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Recording, StepRecord, TimedStep } from './change-records.ts'
import type { History, HistoryOwner } from './history.ts'
import { demandSeen } from './policy.ts'
import { assumed, planRewind, type RewindItem, type RewindSteps } from './rewind-plan.ts'
import { ENDING, type UndoOutcome } from './undo.ts'
import { inverseOf, type Plan, type UndoTools } from './undo-step.ts'

/** What rewinding would do, as numbers of items. */
export interface RewindCounts {
  back: number
  moved: number
  contents: number
  trashed: number
  stay: number
  stays: { path: FilePath; why: UndoObstacle }[]
  /** Whether all items were compared with what is there. */
  isChecked: boolean
}

/** The counter of each kind of step. */
const COUNTERS = {
  trash: 'back',
  move: 'moved',
  replace: 'contents',
  make: 'trashed',
  restore: 'trashed',
  purge: 'stay',
  link: 'stay',
} as const satisfies Record<TimedStep['kind'], keyof RewindCounts>

/**
 * Rewinds a folder for one user: undoes what any user changed in it after a time, the newest step first, by the
 * operations that this user could do. The verdicts are those of an undo.
 */
export class Rewind {
  readonly #history: History
  readonly #tools: UndoTools
  readonly #recording: Recording | undefined
  readonly #isAdmin: boolean

  /** @param owner nothing where no changes are recorded */
  constructor(
    history: History,
    tools: UndoTools,
    owner: { recording: Recording; history: Pick<HistoryOwner, 'isAdmin'> } | undefined,
  ) {
    this.#history = history
    this.#tools = tools
    this.#recording = owner?.recording
    this.#isAdmin = owner?.history.isAdmin ?? false
  }

  /**
   * The operations that bring a folder back to a time, in milliseconds since the epoch.
   * @throws not_found, not_a_folder, unsupported; forbidden, also where a rule denies anything inside; bad_request for
   *   more than `LIMITS.rewindSteps`
   */
  async plan(folder: FilePath, to: number): Promise<RewindSteps> {
    await this.#demand(folder)
    const under = this.#tools.base.placeOf(folder)
    const steps = await this.#history.records.after(to, under, LIMITS.rewindSteps + 1)
    if (steps.length > LIMITS.rewindSteps)
      throw new AppError('bad_request', `to: more than ${LIMITS.rewindSteps} effects since then; choose a later time`)
    return planRewind(steps)
  }

  /** The path of a step in the scope; nothing where the user may not see it. */
  pathOf(step: StepRecord): FilePath | undefined {
    return this.#history.seenStep(step)?.path
  }

  /** What a plan would do now. An item is not compared where a newer one changes its place first. */
  async count({ items, final }: RewindSteps): Promise<RewindCounts> {
    const counts: RewindCounts = { back: 0, moved: 0, contents: 0, trashed: 0, stay: 0, stays: [], isChecked: true }
    const stays = (path: FilePath, why: UndoObstacle) => {
      counts.stay += 1
      if (counts.stays.length < LIMITS.rewindStays) counts.stays.push({ path, why })
    }
    for (const step of final) {
      const seen = this.#history.seenStep(step)
      if (seen) stays(seen.path, step.state === 'open' ? 'open' : step.kind === 'purge' ? 'final' : 'gone')
    }
    const touched = new Set<FilePath>()
    const until = performance.now() + LIMITS.rewindLook
    for (const item of items) {
      const { step } = item
      const places = step.target === undefined ? [step.place] : [step.place, step.target]
      counts.isChecked &&= performance.now() < until
      const isKnown = counts.isChecked && !places.some(place => isTouched(place, touched))
      for (const place of places) touched.add(place)
      const seen = this.#history.seenStep(step)
      if (!seen) continue
      const plan = isKnown ? await this.#inverse(item) : undefined
      if (plan?.why === undefined) counts[COUNTERS[step.kind]] += 1
      else stays(seen.path, plan.why)
    }
    return counts
  }

  /**
   * Does one operation of a plan. @param again whether an earlier attempt may have done it
   * @throws not_found, and what ends a whole job
   */
  step(item: RewindItem, again: boolean): Promise<UndoOutcome> {
    const { change, position } = item
    return this.#tools.cluster.lock(`change:${change}`, async () => {
      const step = await this.#history.records.step(change, position)
      if (!step) throw new AppError('not_found')
      if (step.state === 'undone') return { position, state: 'failed', code: 'undone' }
      try {
        const plan = await this.#inverse({ ...item, step: assumed(step, item.over) })
        if (again && plan.noteDone) {
          const { noteDone } = plan
          return await this.#act(item, async () => void noteDone())
        }
        if (!plan.act) return { position, state: 'failed', code: plan.why ?? 'unsupported' }
        return await this.#act(item, plan.act)
      } catch (thrown) {
        const { code } = asAppError(thrown)
        if (ENDING.has(code)) throw thrown
        return { position, state: 'failed', code }
      }
    })
  }

  async #inverse(item: Pick<RewindItem, 'since' | 'again'> & { step: StepRecord }): Promise<Plan> {
    const { records } = this.#history
    const seen = this.#history.seenStep(item.step)
    if (!seen) return { path: ROOT, why: 'forbidden' }
    const work = { seen, since: item.since, restored: item.again, gone: new Set<FilePath>(), decisions: UNDECIDED }
    return inverseOf(this.#tools, records, { ...work, own: records.own(this.#demandRecording()) })
  }

  async #act(
    { change, position, covers = [] }: RewindItem,
    act: () => Promise<FilePath | undefined | 'skipped'>,
  ): Promise<UndoOutcome> {
    const recording = this.#demandRecording()
    const { records } = this.#history
    recording.kind = 'rewind'
    recording.latest = []
    const at = await records.own(recording).next()
    const path = await act()
    if (path === 'skipped') return { position, state: 'skipped' }
    await records.write(recording, { steps: [{ change, position }, ...covers], at })
    return { position, state: 'done', ...(path !== undefined && { path }) }
  }

  async #demand(folder: FilePath): Promise<void> {
    const { policy, store } = this.#tools.context
    demandSeen(policy, folder, 'list')
    if (!this.#isAdmin) {
      for (const effect of EFFECTS) policy.demand(effect, folder)
      const denied = policy.carrying().deniedPlaces()
      if (!denied || denied.some(place => isWithin(place, folder))) throw new AppError('forbidden')
    }
    const there = await store.stat(folder)
    if (!there) throw new AppError('not_found')
    if (there.kind !== 'folder') throw new AppError('not_a_folder')
  }

  #demandRecording(): Recording {
    if (!this.#recording) throw new AppError('unsupported')
    return this.#recording
  }
}

/** What a user needs to be allowed who is no administrator. */
const EFFECTS: readonly Effect[] = ['create', 'rename', 'replace', 'remove']
const UNDECIDED = { choose: () => undefined, offer: undefined }

function isTouched(place: FilePath, touched: ReadonlySet<FilePath>): boolean {
  for (let at = place; at !== ROOT; at = parentOf(at)) if (touched.has(at)) return true
  return false
}
