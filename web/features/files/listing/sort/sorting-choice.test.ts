import { expect, test } from 'vitest'
import { afterHeaderClick, directionOf } from './sorting-choice.ts'

test.each([
  ['name', false],
  ['size', true],
  ['modified', false],
] as const)('a first click on %s sorts with asc %s', (by, asc) => {
  const other = by === 'name' ? 'size' : 'name'
  expect(afterHeaderClick({ by: other, asc: true }, by)).toEqual({ by, asc })
})

test('a click on the active column reverses it', () => {
  expect(afterHeaderClick({ by: 'size', asc: true }, 'size')).toEqual({ by: 'size', asc: false })
})

test('A to Z is announced as ascending although its flag is false', () => {
  expect(directionOf({ by: 'name', asc: false })).toBe('ascending')
  expect(directionOf({ by: 'name', asc: true })).toBe('descending')
  expect(directionOf({ by: 'size', asc: true })).toBe('ascending')
})
