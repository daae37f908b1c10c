import { indexOfRow } from './dom.ts'
import { addRange, has, type RangeSet, removeRange } from './range-set.ts'

/** A finger drag over check boxes: all of them get the state of the first one. */
export interface CheckboxDrag {
  from: number
  last: number
  adds: boolean
  before: RangeSet
}

/**
 * @param selected the selection before the first box changed
 */
export function startCheckboxDrag(selected: RangeSet, index: number): CheckboxDrag {
  return { from: index, last: index, adds: !has(selected, index), before: selected }
}

/** The selection with the finger at this point; `undefined` while it has not moved on. */
export function continueCheckboxDrag(
  sweep: CheckboxDrag,
  x: number,
  y: number,
): { selected: RangeSet; index: number } | undefined {
  const index = indexOfRow(document.elementFromPoint(x, y))
  if (index < 0 || index === sweep.last) return undefined
  sweep.last = index
  const start = Math.min(sweep.from, index)
  const end = Math.max(sweep.from, index) + 1
  const change = sweep.adds ? addRange : removeRange
  return { selected: change(sweep.before, start, end), index }
}
