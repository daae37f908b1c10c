import { describe, expect, test } from 'vitest'
import { evaluateConditions, rangeApplies } from './conditions.ts'

const now = { etag: '"v2"', modified: Date.UTC(2024, 0, 2, 3, 4, 5, 678) }
const same = 'Tue, 02 Jan 2024 03:04:05 GMT'
const earlier = 'Tue, 02 Jan 2024 03:04:04 GMT'

describe('conditions', () => {
  test.each([
    [{ 'if-none-match': '"v2"' }, 304],
    [{ 'if-none-match': 'W/"v2"' }, 304],
    [{ 'if-none-match': '"v1", "v2"' }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"v1"' }, undefined],
    [{ 'if-none-match': '"v1"', 'if-modified-since': same }, undefined],
    [{ 'if-modified-since': same }, 304],
    [{ 'if-modified-since': earlier }, undefined],
    [{ 'if-modified-since': 'yesterday' }, undefined],
    [{ 'if-match': '"v1"' }, 412],
    [{ 'if-match': 'W/"v2"' }, 412],
    [{ 'if-match': '"v2"' }, undefined],
    [{ 'if-match': '*' }, undefined],
    [{ 'if-unmodified-since': earlier }, 412],
    [{ 'if-unmodified-since': same }, undefined],
    [{}, undefined],
  ])('%j give %s', (headers, status) => {
    expect(evaluateConditions(headers, now)).toBe(status)
  })
})

describe('a range', () => {
  test('applies while its version or date is current', () => {
    expect(rangeApplies(undefined, now)).toBe(true)
    expect(rangeApplies('"v2"', now)).toBe(true)
    expect(rangeApplies('"v1"', now)).toBe(false)
    expect(rangeApplies('W/"v2"', now)).toBe(false)
    expect(rangeApplies(same, now)).toBe(true)
    expect(rangeApplies(earlier, now)).toBe(false)
  })
})
