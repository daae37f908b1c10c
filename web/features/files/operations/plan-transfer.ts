import type { JobRequest } from '../../../../shared/api/jobs.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, parentOf, parsePath, trustedChild } from '../../../../shared/path.ts'
import type { TransferAction } from '../api/transfer.ts'
import { freeName } from '../items/names.ts'

/** One thing on its way. */
export interface Step {
  item: ResourceItem
  from: FilePath
  to: FilePath
  /** What was decided about something that stands there, and in it. */
  decided: Pick<JobRequest, 'conflict' | 'choices' | 'seen'> | undefined
  /** Its name was chosen to be free: should it be taken after all, the server chooses another one. */
  numbered: boolean
}

/**
 * The steps of a copy or move. A move within one folder is no step; a copy next to its original gets a number.
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
    return { item, from, to: trustedChild(destination, name), decided: undefined, numbered: here }
  })
}

/** A step beside what stands in its way. @param taken names there, as far as they are known; the new one is added */
export function keptBeside(step: Step, taken: Set<string>): Step {
  const to = trustedChild(parentOf(step.to), reserve(step.item.name, taken))
  return { ...step, to, numbered: true }
}

function reserve(name: string, names: Set<string>): string {
  const free = freeName(name, names)
  names.add(free)
  return free
}

/** The job that takes steps, each with what was decided about it. */
export function requestFor(kind: TransferAction, steps: readonly Step[]): JobRequest {
  const items = steps.map(({ from, to, decided, numbered }) => {
    const conflict = decided?.conflict ?? (numbered ? 'keepBoth' : undefined)
    return { from, to, ...(conflict ? { conflict } : {}) }
  })
  const choices = Object.fromEntries(steps.flatMap(({ decided }) => Object.entries(decided?.choices ?? {})))
  const seen = Object.fromEntries(steps.flatMap(({ decided }) => Object.entries(decided?.seen ?? {})))
  return { kind, items, choices, seen }
}
