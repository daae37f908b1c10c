import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignSlots } from './slots.ts'

const rows = (start: number, length: number) => Array.from({ length }, (_, step) => start + step)

test('a row keeps its element while it stays in view', () => {
  const first = assignSlots(new Map(), rows(0, 10))
  const second = assignSlots(first, rows(4, 10))
  for (const index of rows(4, 6)) expect(second.get(index)).toBe(first.get(index))
})

test('rows that scroll in reuse the elements of those that scrolled out', () => {
  const first = assignSlots(new Map(), rows(0, 10))
  const second = assignSlots(first, rows(500, 10))
  expect([...second.values()].toSorted()).toEqual([...first.values()].toSorted())
})

test('the focused row keeps its element wherever the window moves', () => {
  const first = assignSlots(new Map(), rows(0, 10))
  const far = assignSlots(first, [3, ...rows(900, 10)])
  expect(far.get(3)).toBe(first.get(3))
})

test('no two rows share an element', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 1, max: 30 }))), windows => {
      let slots: ReadonlyMap<number, number> = new Map()
      for (const [start, length] of windows) {
        const indexes = rows(start, length)
        slots = assignSlots(slots, indexes)
        expect(slots.size).toBe(length)
        expect(new Set(slots.values()).size).toBe(length)
      }
    }),
  )
})
