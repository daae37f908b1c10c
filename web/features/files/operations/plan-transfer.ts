import type { JobRequest } from '../../../../shared/api/jobs.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, parentOf, parsePath, trustedChild } from '../../../../shared/path.ts'
import type { TransferAction } from '../api/resource.ts'
import { freeName } from '../items/names.ts'

/** What is done to items, and whether each copy is compared with its source. */
export interface TransferOrder {
  action: TransferAction
  verify: boolean
}

/** One item of a transfer. */
export interface Step {
  item: ResourceItem
  from: FilePath
  to: FilePath
  /** The decision on a conflict with its destination, and on conflicts inside it. */
  decided: Pick<JobRequest, 'conflict' | 'choices' | 'seen'> | undefined
  /** Its name was chosen as free: if it is taken by then, the server chooses another one. */
  numbered: boolean
}

/**
 * The steps of a copy or move. Moves within one folder are left out; a copy next to its original gets a number.
 * @param taken names in the destination, as far as loaded
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

/** A step that keeps both items. @param taken names there, as far as loaded; the new one is added */
export function keepBothStep(step: Step, taken: Set<string>): Step {
  const to = trustedChild(parentOf(step.to), reserve(step.item.name, taken))
  return { ...step, to, numbered: true }
}

function reserve(name: string, names: Set<string>): string {
  const free = freeName(name, names)
  names.add(free)
  return free
}

/** The job request for these steps, each with its decision. */
export function requestFor({ action, verify }: TransferOrder, steps: readonly Step[]): JobRequest {
  const items = steps.map(({ from, to, decided, numbered }) => {
    const conflict = decided?.conflict ?? (numbered ? 'keepBoth' : undefined)
    return { from, to, ...(conflict ? { conflict } : {}) }
  })
  const choices = Object.fromEntries(steps.flatMap(({ decided }) => Object.entries(decided?.choices ?? {})))
  const seen = Object.fromEntries(steps.flatMap(({ decided }) => Object.entries(decided?.seen ?? {})))
  return { kind: action, items, choices, seen, ...(verify && { verify }) }
}
