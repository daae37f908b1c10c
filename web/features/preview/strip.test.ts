import { expect, test } from 'vitest'
import { stripAround } from './strip.ts'

test('a filmstrip renders the items in view and a few beyond its edges', () => {
  expect(stripAround({ offset: 640, width: 128 }, 100, 11, 64)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
  expect(stripAround({ offset: 0, width: 64 }, 3, 0, 64)).toEqual([0, 1, 2])
})

test('the current item is rendered wherever the strip has been scrolled to', () => {
  expect(stripAround({ offset: 0, width: 64 }, 100, 50, 64)).toEqual([0, 1, 2, 3, 4, 50])
  expect(stripAround({ offset: 6336, width: 64 }, 100, 2, 64)).toEqual([2, 95, 96, 97, 98, 99])
  expect(stripAround({ offset: 0, width: 64 }, 2, -1, 64)).toEqual([0, 1])
})
