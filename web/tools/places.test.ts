import { describe, expect, it } from 'vitest'
import { indexOfKey } from '../lib/i18n/perfect-hash.ts'
import { displacementsFor, inPlaces } from './places.ts'

describe('the indices of texts', () => {
  it.each([0, 1, 2, 7, 1000])('of %d keys are unique and contiguous', count => {
    const keys = Array.from({ length: count }, (_, number) => `area${number % 9}.key${number}`)
    const displacements = displacementsFor(keys)
    const places = keys.map(key => indexOfKey(key, displacements, count)).toSorted((a, b) => a - b)
    expect(places).toEqual(keys.map((_, number) => number))
  })

  it('match the order of a catalogue', () => {
    const texts = new Map([
      ['a.b', 'B'],
      ['a.c', 'C'],
      ['d.e', 'E'],
    ])
    const list = inPlaces(texts)
    const displacements = displacementsFor([...texts.keys()])
    for (const [key, text] of texts) expect(list[indexOfKey(key, displacements, 3)]).toBe(text)
  })
})
