import { indexOfRow } from './dom.ts'
import { addRange, has, type RangeSet, removeRange } from './range-set.ts'

/** A finger that goes down on a check box and over others: all of them get what the first one got. */
export interface Sweep {
  from: number
  last: number
  adds: boolean
  before: RangeSet
}

/** @param selected before the first box has changed */
export function beginSweep(selected: RangeSet, index: number): Sweep {
  return { from: index, last: index, adds: !has(selected, index), before: selected }
}

/** The selection with the finger at this point; `undefined` while it is still where it was. */
export function continueSweep(sweep: Sweep, x: number, y: number): { selected: RangeSet; index: number } | undefined {
  const index = indexOfRow(document.elementFromPoint(x, y))
  if (index < 0 || index === sweep.last) return undefined
  sweep.last = index
  const start = Math.min(sweep.from, index)
  const end = Math.max(sweep.from, index) + 1
  const change = sweep.adds ? addRange : removeRange
  return { selected: change(sweep.before, start, end), index }
}
