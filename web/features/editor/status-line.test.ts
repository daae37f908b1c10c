import { expect, test } from 'vitest'
import { placeOf } from './status-line.tsx'

test.each([
  [0, 1, 1],
  [2, 1, 3],
  [3, 2, 1],
  [4, 3, 1],
  [6, 3, 3],
])('position %i is in line %i, column %i', (caret, line, column) => {
  expect(placeOf('ab\n\ncd', caret)).toEqual({ line, column })
})
