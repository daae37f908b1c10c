import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { orderRenames } from './rename-order.ts'

const renames = (...pairs: [string, string][]) =>
  pairs.map(([from, to]) => ({ source: parsePath(from), target: parsePath(to) }))
const order = (...pairs: [string, string][]) => {
  const { items, cycles } = orderRenames(renames(...pairs))
  return { sources: items.map(({ source }) => source), cycles }
}

describe('the order of renames', () => {
  test('begins a chain at its free end', () => {
    expect(order(['/1', '/2'], ['/2', '/3'], ['/3', '/4'])).toEqual({ sources: ['/3', '/2', '/1'], cycles: [] })
  })

  test('puts a cycle together, and what waits for it behind', () => {
    expect(order(['/x', '/a'], ['/a', '/b'], ['/b', '/a'])).toEqual({ sources: ['/a', '/b', '/x'], cycles: [[0, 2]] })
  })

  test('renames what is in a folder before the folder', () => {
    expect(order(['/f', '/g'], ['/f/a', '/f/b']).sources).toEqual(['/f/a', '/f'])
  })

  test('takes another spelling of a name for the same, unless that name is in the list, too', () => {
    expect(order(['/a', '/B'], ['/b', '/c']).sources).toEqual(['/b', '/a'])
    expect(order(['/x', '/a'], ['/a', '/b'], ['/A', '/c']).sources).toEqual(['/a', '/x', '/A'])
  })

  test('keeps every item once, and frees each name before it is taken', () => {
    const permutation = fc.shuffledSubarray([...'abcdefghij'], { minLength: 1 }).chain(from => {
      return fc.shuffledSubarray([...'abcdefghijkl'], { minLength: from.length, maxLength: from.length }).map(to => {
        return from.map((name, index): [string, string] => [`/${name}`, `/${to[index]}`]).filter(([a, b]) => a !== b)
      })
    })
    fc.assert(
      fc.property(permutation, pairs => {
        const { items, cycles } = orderRenames(renames(...pairs))
        expect(items.map(({ source }) => source).sort()).toEqual(pairs.map(([from]) => from).sort())
        const inCycle = (at: number) => cycles.some(([start, length]) => at >= start && at < start + length)
        const held = new Set<string>(items.map(({ source }) => source))
        for (const [at, { source, target }] of items.entries()) {
          if (!inCycle(at)) expect(held.has(target)).toBe(false)
          held.delete(source)
        }
      }),
    )
  })
})
