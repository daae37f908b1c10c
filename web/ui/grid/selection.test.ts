import { expect, test } from 'vitest'
import { allOf, EMPTY, indexesOf } from './range-set.ts'
import { carryOver, clear, clickRow, type GridState, INITIAL, includeRow } from './selection.ts'

const PLAIN = { shift: false, ctrl: false }
const CTRL = { shift: false, ctrl: true }
const SHIFT = { shift: true, ctrl: false }
const BOTH = { shift: true, ctrl: true }
const rows = (state: GridState) => [...indexesOf(state.selected)]
const name = (row: string) => row

test('a click selects one row and clears the rest', () => {
  const state = clickRow(clickRow(INITIAL, 2, PLAIN), 5, PLAIN)
  expect(rows(state)).toEqual([5])
  expect(state.focus).toBe(5)
})

test('Ctrl and click toggles a row', () => {
  const two = clickRow(clickRow(INITIAL, 2, PLAIN), 5, CTRL)
  expect(rows(two)).toEqual([2, 5])
  expect(rows(clickRow(two, 5, CTRL))).toEqual([2])
})

test('Shift and click selects everything between the last clicked row and this one', () => {
  const state = clickRow(clickRow(INITIAL, 5, PLAIN), 2, SHIFT)
  expect(rows(state)).toEqual([2, 3, 4, 5])
  expect(rows(clickRow(state, 7, SHIFT))).toEqual([5, 6, 7])
})

test('Ctrl and Shift together add a range to the selection', () => {
  const state = clickRow(clickRow(clickRow(INITIAL, 0, PLAIN), 4, CTRL), 6, BOTH)
  expect(rows(state)).toEqual([0, 4, 5, 6])
})

test('a context menu keeps a selection it was opened on and replaces any other', () => {
  const two = clickRow(clickRow(INITIAL, 2, PLAIN), 5, CTRL)
  expect(rows(includeRow(two, 2))).toEqual([2, 5])
  expect(rows(includeRow(two, 3))).toEqual([3])
})

test('clearing keeps the focus where it was', () => {
  const state = clear(clickRow(INITIAL, 3, PLAIN))
  expect(state).toEqual({ selected: EMPTY, focus: 3, anchor: 3 })
})

test('focus and selection follow their rows into a new order', () => {
  const state = clickRow(clickRow(INITIAL, 0, PLAIN), 1, CTRL)
  const after = carryOver(state, ['a', 'b', 'c'], ['c', 'b', 'a'], name)
  expect(rows(after)).toEqual([1, 2])
  expect(after.focus).toBe(1)
})

test('when the focused row is deleted the next one takes the focus', () => {
  const state = { selected: EMPTY, focus: 1, anchor: 1 }
  expect(carryOver(state, ['a', 'b', 'c'], ['a', 'c'], name).focus).toBe(1)
})

test('when the last row is deleted the one before takes the focus', () => {
  const state = { selected: EMPTY, focus: 2, anchor: 2 }
  expect(carryOver(state, ['a', 'b', 'c'], ['a', 'b'], name).focus).toBe(1)
})

test('when all selected rows are deleted the first row after them takes the focus', () => {
  const state = { selected: [1, 3], focus: 1, anchor: 1 }
  expect(carryOver(state, ['a', 'b', 'c', 'd'], ['a', 'd'], name)).toEqual({ selected: [], focus: 1, anchor: 1 })
})

test('an emptied folder focuses nothing but is ready for its first row', () => {
  expect(carryOver({ selected: allOf(2), focus: 1, anchor: 0 }, ['a', 'b'], [], name)).toEqual(INITIAL)
})
