import type { UndoBody, UndoObstacle, UndoOffer, Verdict } from '../../../../shared/api/changes.ts'
import { isChoosable } from './choose-change.ts'

/** What the user decides about one step that cannot be undone as it is; `leave` leaves it as it is. */
export type StepChoice = UndoOffer | 'keepBoth' | 'replace' | 'leave'

/** Steps with the same obstacle and the same choices. */
export interface ObstacleGroup {
  why: UndoObstacle
  choices: readonly StepChoice[]
  verdicts: readonly Verdict[]
}

/** The steps that cannot be undone as they are, by obstacle; those with a choice first. */
export function obstacleGroups(verdicts: readonly Verdict[]): ObstacleGroup[] {
  const groups = new Map<string, { why: UndoObstacle; choices: readonly StepChoice[]; verdicts: Verdict[] }>()
  for (const verdict of verdicts) {
    if (verdict.can) continue
    const { why = 'gone' } = verdict
    const choices = choicesOf(verdict)
    const key = [why, ...choices].join()
    const group = groups.get(key) ?? { why, choices, verdicts: [] }
    group.verdicts.push(verdict)
    groups.set(key, group)
  }
  return [...groups.values()].sort((a, b) => Number(b.choices.length > 0) - Number(a.choices.length > 0))
}

/** What can be chosen for a step; the first choice keeps most. */
function choicesOf(verdict: Verdict): StepChoice[] {
  if (!isChoosable(verdict)) return []
  if (verdict.why === 'taken') return ['keepBoth', 'replace', 'leave']
  const [first, ...others] = verdict.offers
  return first === 'copy' ? [first, ...others, 'leave'] : ['leave', ...verdict.offers]
}

/** The choice that keeps most. */
export const defaultChoice = ({ choices }: Pick<ObstacleGroup, 'choices'>): StepChoice => choices[0] ?? 'leave'

/**
 * The request for an undo with these decisions. Steps to leave are named by leaving them out.
 * @param isWhole whether `verdicts` are all steps of the change
 */
export function bodyOf(
  verdicts: readonly Verdict[],
  choiceOf: (verdict: Verdict) => StepChoice,
  isWhole: boolean,
): UndoBody {
  const taken: NonNullable<UndoBody['choices']> = {}
  const offers: NonNullable<UndoBody['offers']> = {}
  const steps: number[] = []
  for (const verdict of verdicts) {
    const { position, path, to = path, can } = verdict
    const choice = can ? undefined : choiceOf(verdict)
    if (choice === 'leave') continue
    steps.push(position)
    if (choice === 'keepBoth' || choice === 'replace') taken[to] = choice
    else if (choice !== undefined) offers[position] = choice
  }
  return {
    ...(isWhole && { steps }),
    ...(Object.keys(taken).length > 0 && { choices: taken }),
    ...(Object.keys(offers).length > 0 && { offers }),
  }
}
