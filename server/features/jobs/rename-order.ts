import { type FilePath, nameOf, parentOf, segmentsOf } from '../../../shared/path.ts'
import { foldName } from '../../../shared/rename.ts'

export interface Renaming {
  source: FilePath
  target: FilePath
}

/** Items that take each other's names: the first position and their number. */
export type Cycle = readonly [start: number, length: number]

export interface OrderedRenames<T> {
  items: T[]
  /** Runs of `items` in which each takes the name of the next, and the last that of the first. */
  cycles: Cycle[]
}

/**
 * Orders renames so that each name is free before it is taken: of a chain the last first, and what is in a folder
 * before the folder. Names that differ by letter case only count as the same, since a disk may ignore it.
 */
export function orderRenames<T extends Renaming>(renames: readonly T[]): OrderedRenames<T> {
  const exact = new Map(renames.map(item => [item.source, item]))
  const folded = new Map(renames.map(item => [keyOf(item.source), item]))
  const holderOf = (target: FilePath) => exact.get(target) ?? folded.get(keyOf(target))
  const ordered: OrderedRenames<T> = { items: [], cycles: [] }
  const done = new Set<T>()
  for (const item of byDepth(renames)) {
    const { path, cycle } = chainFrom(item, done, holderOf)
    if (cycle.length > 1) ordered.cycles.push([ordered.items.length, cycle.length])
    ordered.items.push(...cycle, ...path.reverse())
  }
  return ordered
}

/** What has to be done for an item: those whose names are taken, in this order, and at their end perhaps a cycle. */
function chainFrom<T extends Renaming>(item: T, done: Set<T>, holderOf: (target: FilePath) => T | undefined) {
  const path: T[] = []
  const place = new Map<T, number>()
  let next: T | undefined = item
  while (next && !done.has(next)) {
    place.set(next, path.length)
    done.add(next)
    path.push(next)
    next = holderOf(next.target)
  }
  const start = next && place.get(next)
  return { path: path.slice(0, start), cycle: start === undefined ? [] : path.slice(start) }
}

const keyOf = (path: FilePath) => `${parentOf(path)}/${foldName(nameOf(path))}`

const byDepth = <T extends Renaming>(renames: readonly T[]): T[] => {
  const depth = (item: T) => segmentsOf(item.source).length
  return [...renames].sort((a, b) => depth(b) - depth(a))
}
