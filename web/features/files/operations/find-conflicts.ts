import type { FoundConflict } from '../../../../shared/api/conflicts.ts'
import { type FilePath, parsePath } from '../../../../shared/path.ts'
import { type Conflict, type Decided, type Decision, promptAfterOthers, type Version } from '../../../lib/prompts.ts'
import { findConflicts } from '../api/conflicts.ts'
import { knownFolder } from '../api/list.ts'
import { pathsFrom } from '../items/common-folder.ts'
import { isMerge } from './conflicts/decisions.ts'
import { keptBeside, type Step } from './plan-transfer.ts'

/** Milliseconds for which names in the way are looked for; what takes longer is told by the server when it gets there. */
const PATIENCE = 10_000

/** What steps would find in their way, each folder before what is in it. */
export interface Outlook {
  found: ReadonlyMap<Step, readonly FoundConflict[]>
  /** How many further files were only counted. */
  more: number
}

export const NOTHING_SEEN: Outlook = { found: new Map(), more: 0 }

/** Looks for names that are taken before anything moves: where steps go, and in folders that would be merged. */
export async function lookAhead(steps: readonly Step[]): Promise<Outlook> {
  const items = steps.map(({ from, to }) => ({ from, to }))
  const answer = await findConflicts(items, AbortSignal.timeout(PATIENCE)).catch(() => ({ conflicts: [], more: 0 }))
  const byItem = Map.groupBy(answer.conflicts, ({ item }) => item)
  const found = steps.map((step, index) => [step, byItem.get(index) ?? []] as const)
  return { found: new Map(found.filter(([, met]) => met.length > 0)), more: answer.more }
}

/** Asks about steps in whose way something is. @returns those that go on, as was decided */
export async function decide(
  steps: readonly Step[],
  { found, more }: Outlook,
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
  const ground = { decided, more, taken: new Set(names) }
  return steps.flatMap(step => {
    const conflicts = listed.get(step)
    if (!conflicts) return { ...step, decided: { conflict: decided.rest } }
    return asDecided(step, conflicts, found.get(step) ?? [], ground)
  })
}

/** Where something comes from that goes to a path: unique also where things of one name come from several folders. */
const sourceOf = ({ from, to }: Step, path: string): FilePath => parsePath(from + path.slice(to.length))

/** What is asked about a step: its own name, and files in the folder; that folders in it merge goes without saying. */
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

/** Both sides with where they are. */
const placed = (from: FilePath, ours: Version, to: string, theirs: Sides['theirs']): Sides => ({
  ours: { ...ours, source: from },
  theirs: theirs && { ...theirs, source: parsePath(to) },
})

/** What is asked about steps for later in whose way something is now. */
export const askedForLater = ({ found }: Outlook, destination: FilePath): Conflict[] =>
  [...found].flatMap(([step, met]) => conflictsOf(step, met, destination))

/**
 * Steps for later: with each thing that is in the way now is done what was decided about it, should it still be there as it
 * is now.
 */
export function decidedForLater(
  steps: readonly Step[],
  { found }: Outlook,
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

interface DecidedGround {
  decided: Decided
  more: number
  /** Names in the destination. */
  taken: Set<string>
}

function asDecided(
  step: Step,
  conflicts: readonly Conflict[],
  found: readonly FoundConflict[],
  { decided, more, taken }: DecidedGround,
): Step[] {
  const decisions = new Map(conflicts.map(conflict => [conflict.id, decided.of(conflict)]))
  const decision = decisions.get(step.from) ?? 'skip'
  if (decision === 'skip') return []
  if (decision === 'keepBoth') return [keptBeside(step, taken)]
  const seen = seenIn(found)
  if (!found.some(met => met.to === step.to && isMerge(met)))
    return [{ ...step, decided: { conflict: decision, seen } }]
  const choices = choicesOf(step, found, decisions)
  return [{ ...step, decided: { choices, seen, ...(more > 0 ? { conflict: decided.rest } : {}) } }]
}

/** What was decided, by path; folders in a folder, which nobody was asked about, merge. */
const choicesOf = (step: Step, found: readonly FoundConflict[], decisions: ReadonlyMap<string, Decision>) =>
  Object.fromEntries(found.map(({ to }) => [to, decisions.get(sourceOf(step, to)) ?? 'replace']))

/** When what may be replaced was changed last. */
const seenIn = (found: readonly FoundConflict[]) =>
  Object.fromEntries(found.filter(met => !isMerge(met)).map(({ to, theirs }) => [to, theirs.modified]))
