import { naturalKey, type Sorting } from '../../../shared/sorting.ts'
import { NameTable } from './name-table.ts'

/** Names looked at in one go. */
const SLICE = 1000

/** The order in which `sortItems` would have these names, by name: indices; without an object for each of very many. */
export function orderOf(
  names: NameTable,
  isFolder: (index: number) => boolean,
  { asc }: Pick<Sorting, 'asc'>,
): Uint32Array {
  const keys = keysOf(names)
  const order = new Uint32Array(names.count)
  const folders = gather(order, 0, isFolder)
  gather(order, folders, index => !isFolder(index))
  const compare = (one: number, other: number) => keys.compare(one, other) || names.compare(one, other)
  for (const part of [order.subarray(0, folders), order.subarray(folders)]) {
    part.sort(compare)
    if (asc) part.reverse()
  }
  keys.free()
  return order
}

/** The order in which the names are as `<` has it. */
export function plainOrderOf(names: NameTable): Uint32Array {
  return Uint32Array.from({ length: names.count }, (_, index) => index).sort((one, other) => names.compare(one, other))
}

function keysOf(names: NameTable): NameTable {
  const keys = new NameTable()
  for (let from = 0; from < names.count; from += SLICE) {
    for (const name of names.between(from, from + SLICE)) keys.add(naturalKey(name))
  }
  return keys
}

/** Notes the indices of what is wanted, from a place in the order on. @returns where they end */
function gather(order: Uint32Array, from: number, isWanted: (index: number) => boolean): number {
  let at = from
  for (let index = 0; index < order.length; index++) if (isWanted(index)) order[at++] = index
  return at
}
