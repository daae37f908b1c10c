import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addRange,
  allOf,
  between,
  EMPTY,
  has,
  indexesOf,
  only,
  pick,
  type RangeSet,
  remap,
  removeRange,
  sizeOf,
  toggle,
  union,
} from './range-set.ts'

const SIZE = 60
const index = fc.integer({ min: 0, max: SIZE - 1 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), a: index, b: index }),
  fc.record({ kind: fc.constant('remove' as const), a: index, b: index }),
  fc.record({ kind: fc.constant('toggle' as const), a: index, b: index }),
)
type Step = { kind: 'add' | 'remove' | 'toggle'; a: number; b: number }

function run(set: RangeSet, { kind, a, b }: Step): RangeSet {
  const [start, end] = [Math.min(a, b), Math.max(a, b) + 1]
  if (kind === 'add') return addRange(set, start, end)
  if (kind === 'remove') return removeRange(set, start, end)
  return toggle(set, a)
}

function runModel(model: Set<number>, { kind, a, b }: Step): void {
  if (kind === 'toggle') {
    if (!model.delete(a)) model.add(a)
    return
  }
  for (let at = Math.min(a, b); at <= Math.max(a, b); at += 1) kind === 'add' ? model.add(at) : model.delete(at)
}

test('any sequence of changes gives the result of a plain set', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const model = new Set<number>()
      let set = EMPTY
      for (const next of steps) {
        set = run(set, next)
        runModel(model, next)
      }
      const expected = [...model].sort((a, b) => a - b)
      expect([...indexesOf(set)]).toEqual(expected)
      expect(sizeOf(set)).toBe(expected.length)
      for (let at = 0; at < SIZE; at += 1) expect(has(set, at)).toBe(model.has(at))
    }),
  )
})

test('borders stay strictly ascending, so that ranges never touch or overlap', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const set = steps.reduce(run, EMPTY)
      expect(set.length % 2).toBe(0)
      for (let at = 1; at < set.length; at += 1) expect(set[at]).toBeGreaterThan(set[at - 1] as number)
    }),
  )
})

test('a change does not mutate its input', () => {
  const set = addRange(EMPTY, 2, 5)
  addRange(set, 4, 9)
  toggle(set, 3)
  expect(set).toEqual([2, 5])
})

test('a hundred thousand selected rows are two numbers', () => {
  expect(allOf(100_000)).toEqual([0, 100_000])
  expect(sizeOf(allOf(100_000))).toBe(100_000)
})

test('a range includes both ends, in either order', () => {
  expect(between(7, 4)).toEqual(between(4, 7))
  expect([...indexesOf(between(7, 4))]).toEqual([4, 5, 6, 7])
})

test('picking leaves out indices beyond the list', () => {
  expect(pick([0, 1, 2, 9], ['a', 'b', 'c'])).toEqual(['a', 'c'])
})

test('a selection follows its rows through a new order', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(names, fc.array(index), fc.infiniteStream(fc.nat()), (before, chosen, order) => {
      const set = chosen.filter(at => at < before.length).reduce((all, at) => addRange(all, at, at + 1), EMPTY)
      const rank = new Map(before.map(name => [name, order.next().value ?? 0]))
      const after = before.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
      const moved = remap(set, before, after, name => name)
      expect(pick(moved, after).toSorted()).toEqual(pick(set, before).toSorted())
    }),
  )
})

test('removed rows leave the selection', () => {
  expect(remap(only(1), ['a', 'b'], ['a', 'c'], name => name)).toEqual([])
})

test('the union holds the elements of either set, and no others', () => {
  const sets = fc.array(step, { maxLength: 12 }).map(steps => steps.reduce(run, EMPTY))
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const both = union(a, b)
      for (let at = 0; at < SIZE; at += 1) expect(has(both, at)).toBe(has(a, at) || has(b, at))
      for (let at = 1; at < both.length; at += 1) expect(both[at]).toBeGreaterThan(both[at - 1] ?? -1)
    }),
  )
})
