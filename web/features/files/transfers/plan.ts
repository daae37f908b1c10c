import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, parentOf, parsePath, trustedChild } from '../../../../shared/path.ts'
import type { Decision } from '../../../lib/prompts.ts'
import type { TransferAction } from '../api/transfer.ts'
import { freeName } from '../names.ts'

/** One thing on its way. */
export interface Step {
  item: ResourceItem
  from: FilePath
  to: FilePath
  /** What becomes of something that stands there. */
  conflict: Exclude<Decision, 'skip' | 'keepBoth'> | undefined
  /** Its name was chosen to be free: should it be taken after all, the server chooses another one. */
  numbered: boolean
}

/**
 * What is to be done. A move within one folder is nothing; a copy beside its original gets a number (specification
 * section 4).
 * @param taken names in the destination, as far as they are known
 */
export function planSteps(
  action: TransferAction,
  items: readonly ResourceItem[],
  destination: FilePath,
  taken: Iterable<string>,
): Step[] {
  const names = new Set(taken)
  return items.flatMap(item => {
    const from = parsePath(item.path)
    const here = parentOf(from) === destination
    if (here && action === 'move') return []
    const name = here ? reserve(item.name, names) : item.name
    return { item, from, to: trustedChild(destination, name), conflict: undefined, numbered: here }
  })
}

/** The steps once more, as was decided about what stands in their way; skipped ones are left out. */
export function afterDecisions(
  conflicts: readonly Step[],
  decisions: readonly Decision[],
  taken: Iterable<string>,
): Step[] {
  const names = new Set(taken)
  return conflicts.flatMap((step, index) => {
    const decision = decisions[index] ?? 'skip'
    if (decision === 'skip') return []
    if (decision !== 'keepBoth') return { ...step, conflict: decision }
    const to = trustedChild(parentOf(step.to), reserve(step.item.name, names))
    return { ...step, to, numbered: true }
  })
}

function reserve(name: string, names: Set<string>): string {
  const free = freeName(name, names)
  names.add(free)
  return free
}
