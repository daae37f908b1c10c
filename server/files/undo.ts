import type { KeptEnd, UndoObstacle, UndoOffer } from '../../shared/api/changes.ts'
import type { FilePath } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry } from '../storage/driver.ts'
import type { ChangeRecord, Recording } from './change-records.ts'
import type { History, SeenStep } from './history.ts'
import type { RestoreChoice } from './restore.ts'
import { inverseOf, type Plan, type UndoDecisions, type UndoTools, type UndoWork } from './undo-step.ts'

/** What the undo of one step would do, or why it cannot. Paths are in the user's scope. */
export interface UndoVerdict {
  seen: SeenStep
  /** Where the item is now, or where it comes back. */
  path: FilePath
  to?: FilePath
  why?: UndoObstacle
  /** Where `why` is `gone` or `final`: how and when what it needs went, in milliseconds since the epoch. */
  went?: { how: KeptEnd; at: number }
  offers: readonly UndoOffer[]
}

/** What the undo of one step did. */
export interface UndoOutcome {
  position: number
  state: 'done' | 'skipped' | 'failed'
  /** Where the item is now. */
  path?: FilePath
  code?: string
}

export interface UndoRequest {
  /** Positions of steps; all unless given. */
  steps?: readonly number[]
  choose?(path: FilePath): RestoreChoice | undefined
  offer?(position: number): UndoOffer | undefined
}

/** Steps read at a time. */
const PAGE = 200

/**
 * Undoes recorded changes for one user, by the operations that the user could do: rights, rules and locks are those of
 * now. What an undo takes away goes to the trash or becomes a version, and nothing that was changed since is replaced
 * unless the user chooses so.
 */
export class Undo {
  readonly #history: History
  readonly #tools: UndoTools
  readonly #recording: Recording | undefined

  constructor(history: History, tools: UndoTools, recording: Recording | undefined) {
    this.#history = history
    this.#tools = tools
    this.#recording = recording
  }

  /** What an undo would do, the newest step first. @throws not_found */
  async preview(id: string, request: UndoRequest, limit: number): Promise<UndoVerdict[]> {
    const { record } = await this.#history.find(id)
    const verdicts: UndoVerdict[] = []
    const gone = new Set<FilePath>()
    const moved = new Map<FilePath, Entry | undefined>()
    for await (const seen of this.#newestFirst(id, request.steps)) {
      if (verdicts.length === limit) break
      const decisions = decisionsOf(request, seen)
      const plan = await this.#plan({ seen, since: record.endedAt, gone, moved, decisions })
      const went = plan.why === 'gone' || plan.why === 'final' ? await this.#endOf(seen) : undefined
      verdicts.push({ ...verdictOf(seen, plan), ...(went && { went }) })
      if (plan.act && seen.step.kind !== 'trash') gone.add(plan.path)
      if (plan.act && LEAVING.has(seen.step.kind)) moved.set(plan.path, undefined)
      if (plan.act && plan.to !== undefined && plan.moves) moved.set(plan.to, plan.moves)
    }
    return verdicts
  }

  /** The steps that an undo would try, the newest first; at most some. @throws not_found */
  async attempted(id: string, steps: readonly number[] | undefined, limit: number): Promise<SeenStep[]> {
    await this.#history.find(id)
    const found: SeenStep[] = []
    for await (const seen of this.#newestFirst(id, steps)) {
      if (seen.step.state === 'undone' || seen.step.kind === 'purge') continue
      found.push(seen)
      if (found.length === limit) break
    }
    return found
  }

  /** Undoes the steps of a change, the newest first; one that cannot be undone stops no other. @throws not_found */
  async run(id: string, request: UndoRequest, limit: number): Promise<UndoOutcome[]> {
    await this.#history.find(id)
    const outcomes: UndoOutcome[] = []
    for await (const { step } of this.#newestFirst(id, request.steps)) {
      if (outcomes.length === limit) break
      outcomes.push(await this.step(id, step.position, request))
    }
    return outcomes
  }

  /**
   * Undoes one step. Of several callers who do so at once, one does it, and the others find it undone.
   * @param again whether an earlier attempt may have done it
   * @throws not_found, and what ends a whole job
   */
  async step(id: string, position: number, request: UndoRequest, again = false): Promise<UndoOutcome> {
    const { record: first } = await this.#history.find(id)
    return this.#tools.cluster.lock(`change:${first.undoes ?? id}`, async () => {
      const { record } = await this.#history.find(id)
      const step = await this.#history.records.step(id, position)
      const seen = step && this.#history.seenStep(step)
      if (!seen) throw new AppError('not_found')
      try {
        const decisions = decisionsOf(request, seen)
        const plan = await this.#plan({ seen, since: record.endedAt, gone: new Set(), decisions })
        if (again && plan.noteDone) {
          const { noteDone } = plan
          return await this.#act(record, seen, async () => void noteDone())
        }
        if (!plan.act) return { position, state: 'failed', code: plan.why ?? 'unsupported' }
        return await this.#act(record, seen, plan.act)
      } catch (thrown) {
        const { code } = asAppError(thrown)
        if (ENDING.has(code)) throw thrown
        return { position, state: 'failed', code }
      }
    })
  }

  async #act(
    change: ChangeRecord,
    { step }: SeenStep,
    act: () => Promise<FilePath | undefined | 'skipped'>,
  ): Promise<UndoOutcome> {
    const recording = this.#demandRecording()
    const { position } = step
    recording.kind = 'undo'
    recording.undoes = { change, position }
    recording.latest = []
    const path = await act()
    if (path === 'skipped') return { position, state: 'skipped' }
    await this.#history.records.write(recording, { change, step })
    return { position, state: 'done', ...(path !== undefined && { path }) }
  }

  async #endOf({ step: { kept } }: SeenStep): Promise<UndoVerdict['went']> {
    return kept === undefined ? undefined : this.#history.records.ended(kept)
  }

  #plan(work: UndoWork): Promise<Plan> {
    return inverseOf(this.#tools, this.#history.records, work)
  }

  async *#newestFirst(id: string, wanted: readonly number[] | undefined): AsyncGenerator<SeenStep> {
    const only = wanted && new Set(wanted)
    for (let from = Number.MAX_SAFE_INTEGER; from >= 0; ) {
      const page = await this.#history.records.steps(id, from, PAGE, true)
      for (const step of page) {
        const seen = only && !only.has(step.position) ? undefined : this.#history.seenStep(step)
        if (seen) yield seen
      }
      if (page.length < PAGE) return
      from = (page.at(-1)?.position ?? 0) - 1
    }
  }

  #demandRecording(): Recording {
    if (!this.#recording) throw new AppError('unsupported')
    return this.#recording
  }
}

/** The kinds of steps whose undo leaves nothing at the path. */
const LEAVING: ReadonlySet<string> = new Set(['move', 'make', 'restore'])

/** Failures of the server, the session or the client; the next step would fail as well. */
export const ENDING: ReadonlySet<string> = new Set(['internal', 'unauthorized', 'incomplete_body', 'unavailable'])

const decisionsOf = ({ choose, offer }: UndoRequest, { step }: SeenStep): UndoDecisions => ({
  choose: path => choose?.(path),
  offer: offer?.(step.position),
})

const verdictOf = (seen: SeenStep, { path, to, why, offers = [] }: Plan): UndoVerdict => ({
  seen,
  path,
  ...(to !== undefined && { to }),
  ...(why !== undefined && { why }),
  offers,
})

export type { UndoTools } from './undo-step.ts'
