import { setTimeout as pause } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import { afterEach, describe, expect, test } from 'vitest'
import { givesBackAtRest } from './threads.ts'

/** Longer than the runtime remembers how quickly things were made. */
const REST = 6000
const [collect] = [globalThis.gc]
afterEach(() => {
  globalThis.gc = collect
})

/** What `--expose-gc` does. */
function exposeCollection(): void {
  v8.setFlagsFromString('--expose-gc')
  globalThis.gc = vm.runInNewContext('gc') as NonNullable<typeof globalThis.gc>
}

/** Bytes that the runtime holds for new things. */
const room = () => v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0

/** Makes so many things, some of which are kept, that the runtime takes more room for new ones. */
function makeMany(): unknown[] {
  const kept: unknown[] = []
  for (let count = 0; count < 2_000_000; count++) {
    const made = { count, text: `${count}` }
    if (count % 8 === 0) kept.push(made)
  }
  return kept
}

describe('a thread without work', () => {
  test('gives the room for new things back after a while, and not before', { timeout: 30_000 }, async () => {
    exposeCollection()
    const hasWork = givesBackAtRest(REST)
    makeMany()
    const before = room()
    for (let count = 0; count < 2; count++) {
      await pause((REST * 2) / 3)
      hasWork()
    }
    expect(room()).toBe(before)
    await expect.poll(room, { timeout: REST * 3 }).toBeLessThanOrEqual(before / 2)
  })

  test('goes on where nothing can be collected', async () => {
    globalThis.gc = undefined
    givesBackAtRest(1)
    await pause(10)
  })
})
