import { beforeEach, expect, test, vi } from 'vitest'

const MiB = 2 ** 20

/** Module state as on page load: what is learned applies to all uploads of the page. */
let { mayFit, nextSize, noteBroken, chunkSizes, smallerThan } = await import('./chunk-size.ts')
beforeEach(async () => {
  vi.resetModules()
  ;({ mayFit, nextSize, noteBroken, chunkSizes, smallerThan } = await import('./chunk-size.ts'))
})

test('chunks start at the configured size and may grow to 90 MB; small ones are the host’s maximum', () => {
  expect(chunkSizes(10 * MiB, 0)).toEqual({ first: 10 * MiB, most: 90_000_000 })
  expect(chunkSizes(MiB, 0)).toEqual({ first: MiB, most: MiB })
  expect(chunkSizes(200 * MiB, 0)).toEqual({ first: 200 * MiB, most: 200 * MiB })
})

test('chunks on an unstable connection are smaller, and stay so', () => {
  expect(chunkSizes(10 * MiB, 2)).toEqual({ first: 2.5 * MiB, most: 2.5 * MiB })
})

test('a slow chunk is followed by a smaller one, a fast one by a larger one', () => {
  expect(nextSize(4 * MiB, 10 * MiB, 20_000)).toBe(2 * MiB)
  expect(nextSize(4 * MiB, 10 * MiB, 5000)).toBe(4 * MiB)
  expect(nextSize(4 * MiB, 10 * MiB, 100)).toBe(8 * MiB)
  expect(nextSize(8 * MiB, 10 * MiB, 100)).toBe(10 * MiB)
  expect(nextSize(80 * 1024, 10 * MiB, 20_000)).toBe(64 * 1024)
})

test('a refused size is not tried again by any upload', () => {
  expect(mayFit(2 * MiB)).toBe(true)
  expect(smallerThan(2 * MiB)).toBe(MiB)
  expect(mayFit(2 * MiB)).toBe(false)
  expect(chunkSizes(10 * MiB, 0)).toEqual({ first: MiB, most: MiB })
  expect(smallerThan(64 * 1024)).toBeUndefined()
})

test('the next file does not start with a size that was too slow, or cut off', () => {
  noteBroken(10 * MiB, 1000)
  expect(chunkSizes(10 * MiB, 0).first).toBe(10 * MiB)
  noteBroken(10 * MiB, 60_000)
  expect(chunkSizes(10 * MiB, 0).first).toBe(5 * MiB)
  expect([mayFit(5 * MiB), mayFit(6 * MiB)]).toEqual([true, false])
  nextSize(5 * MiB, 90_000_000, 500)
  expect(chunkSizes(10 * MiB, 0).first).toBe(10 * MiB)
})
