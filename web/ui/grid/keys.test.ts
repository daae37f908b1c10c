import { expect, test } from 'vitest'
import { geometryOf } from './geometry.ts'
import { type GridKey, type GridReaction, type GridSize, reactToKey } from './keys.ts'
import { indexesOf } from './range-set.ts'
import { type GridState, INITIAL, selectOnly } from './selection.ts'

const sizeOf = (count: number, page: number, perLine: number): GridSize => ({
  count,
  page,
  stepFrom: geometryOf({ height: 40, tile: { width: 100, gap: 0 } }, count, 100 * perLine).stepFrom,
})
const SIZE = sizeOf(100, 10, 1)
const TILES = sizeOf(11, 2, 4)
const press = (key: string, held: Partial<GridKey> = {}): GridKey => ({
  key,
  shift: false,
  ctrl: false,
  alt: false,
  ...held,
})

function stateOf(reaction: GridReaction): GridState {
  if (!reaction || !('state' in reaction)) throw new Error('the key changed nothing')
  return reaction.state
}
const rows = (reaction: GridReaction) => [...indexesOf(stateOf(reaction).selected)]

test('an arrow moves focus and selection together', () => {
  const next = stateOf(reactToKey(selectOnly(4), press('ArrowDown'), SIZE))
  expect(next).toEqual(selectOnly(5))
})

test.each([
  ['ArrowUp', 0, 0],
  ['ArrowDown', 99, 99],
  ['Home', 50, 0],
  ['End', 50, 99],
  ['PageDown', 50, 59],
  ['PageDown', 95, 99],
  ['PageUp', 50, 41],
  ['PageUp', 3, 0],
])('%s from row %i goes to row %i', (key, from, to) => {
  expect(stateOf(reactToKey(selectOnly(from), press(key), SIZE)).focus).toBe(to)
})

test('Shift extends the selection from its anchor, also back over itself', () => {
  const down = stateOf(reactToKey(selectOnly(4), press('ArrowDown', { shift: true }), SIZE))
  expect([...indexesOf(down.selected)]).toEqual([4, 5])
  const home = reactToKey(down, press('Home', { shift: true }), SIZE)
  expect(rows(home)).toEqual([0, 1, 2, 3, 4])
})

test('Ctrl moves the focus and leaves the selection alone', () => {
  const next = stateOf(reactToKey(selectOnly(4), press('ArrowDown', { ctrl: true }), SIZE))
  expect(next.focus).toBe(5)
  expect([...indexesOf(next.selected)]).toEqual([4])
})

test('Ctrl and Space toggle the focused row', () => {
  const moved = stateOf(reactToKey(selectOnly(4), press('ArrowDown', { ctrl: true }), SIZE))
  const two = stateOf(reactToKey(moved, press(' ', { ctrl: true }), SIZE))
  expect([...indexesOf(two.selected)]).toEqual([4, 5])
  expect(rows(reactToKey(two, press(' ', { ctrl: true }), SIZE))).toEqual([4])
})

test('Space previews, Shift and Space select a range', () => {
  expect(reactToKey(selectOnly(4), press(' '), SIZE)).toEqual({ act: 'look' })
  const moved = stateOf(reactToKey(selectOnly(4), press('End', { ctrl: true }), sizeOf(7, 10, 1)))
  expect(rows(reactToKey(moved, press(' ', { shift: true }), SIZE))).toEqual([4, 5, 6])
})

test.each([
  ['ArrowDown', 1, 5],
  ['ArrowUp', 5, 1],
  ['ArrowUp', 2, 2],
  ['ArrowRight', 3, 4],
  ['ArrowRight', 10, 10],
  ['ArrowLeft', 4, 3],
  ['ArrowLeft', 0, 0],
  ['ArrowDown', 7, 10],
  ['ArrowDown', 9, 9],
  ['PageDown', 2, 6],
  ['PageUp', 9, 5],
  ['End', 0, 10],
])('among tiles %s from %i goes to %i', (key, from, to) => {
  expect(stateOf(reactToKey(selectOnly(from), press(key), TILES)).focus).toBe(to)
})

test('Enter opens, Backspace and Alt+↑ go up', () => {
  expect(reactToKey(INITIAL, press('Enter'), SIZE)).toEqual({ act: 'open' })
  expect(reactToKey(INITIAL, press('Backspace'), SIZE)).toEqual({ act: 'up' })
  expect(reactToKey(INITIAL, press('ArrowUp', { alt: true }), SIZE)).toEqual({ act: 'up' })
})

test('an empty grid only allows going up', () => {
  const empty = sizeOf(0, 10, 1)
  expect(reactToKey(INITIAL, press('Backspace'), empty)).toEqual({ act: 'up' })
  for (const key of ['ArrowDown', 'End', ' ', 'Enter']) expect(reactToKey(INITIAL, press(key), empty)).toBeUndefined()
})

test('other keys pass through', () => {
  expect(reactToKey(INITIAL, press('a', { ctrl: true }), SIZE)).toBeUndefined()
  expect(reactToKey(INITIAL, press('ArrowLeft', { alt: true }), SIZE)).toBeUndefined()
  expect(reactToKey(INITIAL, press('Tab'), SIZE)).toBeUndefined()
})
