import { byteLength } from './bytes.ts'
import { MAX_NAME_BYTES } from './path.ts'
import {
  type ExpressionEngine,
  type ItemFacts,
  MissingFact,
  prepareStep,
  type RenameStep,
  splitName,
} from './rename-steps.ts'

/** Why an item cannot get its new name. */
export type RenameProblem =
  | 'empty'
  /** It has a character that no name may have. */
  | 'invalid'
  /** `.` or `..`, or a name of the server's own files. */
  | 'reserved'
  | 'tooLong'
  /** Another item would get it as well. */
  | 'duplicate'
  /** Something outside the list has it. */
  | 'taken'
  /** The date or camera that a step needs is unknown. */
  | 'unknown'

export interface PlannedName {
  from: string
  to: string
  problem?: RenameProblem
}

export interface PlanFacts {
  /** Of each name, by index. */
  items: readonly ItemFacts[]
  now: Date
  /** Runs expressions; without it they change nothing. */
  engine?: ExpressionEngine | undefined
  /** The folder of an item, by index: in different ones two items may get the same name. One folder if omitted. */
  folderOf?: (index: number) => string
  /** Whether something outside the list has a name in the folder of an item. */
  isTaken?: (index: number, name: string) => boolean
  /** Whether the folders ignore letter case and Unicode composition in names. */
  folds?: boolean
}

/**
 * The new names of items after all steps.
 * @returns one for each name, in the order given
 * @throws Error for an expression that is not valid
 */
export function plan(names: readonly string[], steps: readonly RenameStep[], facts: PlanFacts): PlannedName[] {
  const prepared = steps.map(step => prepareStep(step, facts.engine))
  const planned = names.map((from, index): PlannedName => {
    const item = facts.items[index] ?? NO_FACTS
    const context = { facts: item, index, now: facts.now }
    try {
      let name = splitName(from, item.isDir)
      for (const apply of prepared) name = apply(name, context)
      const to = name.stem + name.extension
      const problem = to === from ? undefined : problemOf(to)
      return problem ? { from, to, problem } : { from, to }
    } catch (thrown) {
      if (thrown instanceof MissingFact) return { from, to: from, problem: 'unknown' }
      throw thrown
    }
  })
  return withCollisions(planned, facts)
}

const NO_FACTS: ItemFacts = { isDir: false, modified: 0, size: 0, folder: '' }

/** The key under which two names are the same where letter case makes no difference. */
export const foldName = (name: string): string => name.normalize('NFC').toLowerCase()

function problemOf(name: string): RenameProblem | undefined {
  if (name.trim() === '') return 'empty'
  if (name.includes('/') || name.includes('\0')) return 'invalid'
  if (name === '.' || name === '..' || name.startsWith('.~fg-') || name.startsWith('.filigree-')) return 'reserved'
  if (name.length * 3 > MAX_NAME_BYTES && byteLength(name) > MAX_NAME_BYTES) return 'tooLong'
  return undefined
}

/** Marks the names that two items would have, and those that others have. */
function withCollisions(planned: readonly PlannedName[], facts: PlanFacts): PlannedName[] {
  const { folderOf = () => '', isTaken = () => false, folds = false } = facts
  const keyOf = (name: string, index: number) => `${folderOf(index)}/${folds ? foldName(name) : name}`
  const counts = new Map<string, number>()
  for (const [index, { to }] of planned.entries()) {
    const key = keyOf(to, index)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return planned.map((entry, index) => {
    const { from, to, problem } = entry
    if (problem || from === to) return entry
    if ((counts.get(keyOf(to, index)) ?? 0) > 1) return { ...entry, problem: 'duplicate' }
    return isTaken(index, to) ? { ...entry, problem: 'taken' } : entry
  })
}
