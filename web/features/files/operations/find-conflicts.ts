import type { ConflictsAnswer, ConflictsRequest, FoundConflict } from '../../../../shared/api/conflicts.ts'
import { type FilePath, parsePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'
import { promptAfterOthers } from '../../../lib/prompts.ts'
import { knownFolder } from '../api/list.ts'
import { pathsFrom } from '../items/common-folder.ts'
import type { Conflict, Decided, Decision, Version } from './conflicts/conflict.ts'
import { isMerge } from './conflicts/decisions.ts'
import { keepBothStep, type Step } from './plan-transfer.ts'

/**
 * Timeout of the conflict check in milliseconds; conflicts found later are reported by the server during the transfer.
 */
const CHECK_TIMEOUT = 10_000

/** The conflicts of a transfer, each folder before its content. */
export interface FoundConflicts {
  found: ReadonlyMap<Step, readonly FoundConflict[]>
  /** Number of further files that were only counted. */
  more: number
}

export const NO_CONFLICTS: FoundConflicts = { found: new Map(), more: 0 }

/** Finds taken names before the transfer starts: at the destinations, and in folders to be merged. */
export async function checkConflicts(steps: readonly Step[]): Promise<FoundConflicts> {
  const items = steps.map(({ from, to }) => ({ from, to }))
  const answer = await findConflicts(items, AbortSignal.timeout(CHECK_TIMEOUT)).catch(() => ({
    conflicts: [],
    more: 0,
  }))
  const byItem = Map.groupBy(answer.conflicts, ({ item }) => item)
  const found = steps.map((step, index) => [step, byItem.get(index) ?? []] as const)
  return { found: new Map(found.filter(([, met]) => met.length > 0)), more: answer.more }
}

/** Prompts for the steps with conflicts. @returns the steps to perform, with their decisions */
export async function decide(
  steps: readonly Step[],
  { found, more }: FoundConflicts,
  destination: FilePath,
): Promise<readonly Step[]> {
  if (steps.length === 0) return []
  const asked = more > 0 ? steps.filter(step => found.has(step)) : steps
  const listed = new Map(asked.map(step => [step, conflictsOf(step, found.get(step) ?? [], destination)]))
  const answers: Decided[] = []
  await promptAfterOthers('replace', {
    conflicts: [...listed.values()].flat(),
    more,
    onDecide: decided => answers.push(decided),
  })
  const [decided] = answers
  if (!decided) return []
  const names = [...(knownFolder(destination)?.items ?? []), ...steps.map(({ item }) => item)].map(({ name }) => name)
  const decisionContext = { decided, more, taken: new Set(names) }
  return steps.flatMap(step => {
    const conflicts = listed.get(step)
    if (!conflicts) return { ...step, decided: { conflict: decided.rest } }
    return asDecided(step, conflicts, found.get(step) ?? [], decisionContext)
  })
}

/** The source of an item that goes to a path: unique even where items of one name come from several folders. */
const sourceOf = ({ from, to }: Step, path: string): FilePath => parsePath(from + path.slice(to.length))

/**
 * The conflicts to prompt for in a step: its own name, and files in the folder; folders inside it merge without a
 * prompt.
 */
function conflictsOf(step: Step, found: readonly FoundConflict[], destination: FilePath): Conflict[] {
  const theirs = found.find(({ to }) => to === step.to)?.theirs
  const below = found.filter(conflict => conflict.to !== step.to && !isMerge(conflict))
  const [name = step.item.name, ...names] = pathsFrom(
    destination,
    [step, ...below].map(({ to }) => ({ path: to })),
  )
  const inside = below.map(({ to, ours, theirs: other }, index): Conflict => {
    const from = sourceOf(step, to)
    return { id: from, name: names[index] ?? to, ...placed(from, ours, to, other), inside: step.from }
  })
  return [{ id: step.from, name, ...placed(step.from, step.item, step.to, theirs) }, ...inside]
}

type Sides = Pick<Conflict, 'ours' | 'theirs'>

/** Both sides with their paths. */
const placed = (from: FilePath, ours: Version, to: string, theirs: Sides['theirs']): Sides => ({
  ours: { ...ours, source: from },
  theirs: theirs && { ...theirs, source: parsePath(to) },
})

/** The prompts of scheduled steps that conflict now. */
export const scheduledPrompts = ({ found }: FoundConflicts, destination: FilePath): Conflict[] =>
  [...found].flatMap(([step, met]) => conflictsOf(step, met, destination))

/**
 * Scheduled steps: each item that conflicts now is treated as decided, provided that it is unchanged when the job runs.
 */
export function scheduledSteps(
  steps: readonly Step[],
  { found }: FoundConflicts,
  destination: FilePath,
  of: Decided['of'],
): Step[] {
  return steps.map(step => {
    const met = found.get(step)
    if (!met) return step
    const decisions = new Map(conflictsOf(step, met, destination).map(conflict => [conflict.id, of(conflict)]))
    return { ...step, decided: { choices: choicesOf(step, met, decisions), seen: seenIn(met) } }
  })
}

interface DecisionContext {
  decided: Decided
  more: number
  /** Names in the destination. */
  taken: Set<string>
}

function asDecided(
  step: Step,
  conflicts: readonly Conflict[],
  found: readonly FoundConflict[],
  { decided, more, taken }: DecisionContext,
): Step[] {
  const decisions = new Map(conflicts.map(conflict => [conflict.id, decided.of(conflict)]))
  const decision = decisions.get(step.from) ?? 'skip'
  if (decision === 'skip') return []
  if (decision === 'keepBoth') return [keepBothStep(step, taken)]
  const seen = seenIn(found)
  if (!found.some(met => met.to === step.to && isMerge(met)))
    return [{ ...step, decided: { conflict: decision, seen } }]
  const choices = choicesOf(step, found, decisions)
  return [{ ...step, decided: { choices, seen, ...(more > 0 ? { conflict: decided.rest } : {}) } }]
}

/** The decisions by path; folders inside a folder merge without a prompt. */
const choicesOf = (step: Step, found: readonly FoundConflict[], decisions: ReadonlyMap<string, Decision>) =>
  Object.fromEntries(found.map(({ to }) => [to, decisions.get(sourceOf(step, to)) ?? 'replace']))

/** Modification time of the item that may be replaced. */
const seenIn = (found: readonly FoundConflict[]) =>
  Object.fromEntries(found.filter(met => !isMerge(met)).map(({ to, theirs }) => [to, theirs.modified]))

/**
 * `POST /api/conflicts`: the conflicts of these steps, including those inside folders to be merged. @throws ApiError
 */
function findConflicts(items: ConflictsRequest['items'], signal: AbortSignal): Promise<ConflictsAnswer> {
  const body = JSON.stringify({ items } satisfies ConflictsRequest)
  return apiJson('/api/conflicts', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal })
}
