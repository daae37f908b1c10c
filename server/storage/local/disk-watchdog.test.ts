import { expect, test } from 'vitest'
import { DiskWatchdog, type Held } from './disk-watchdog.ts'

const PATIENCE = 100
/** More than the concurrency limit of a disk. */
const MANY = 20

/** A disk that responds when the test says so. */
function makeDisk() {
  const responses: (() => void)[] = []
  const closed: number[] = []
  const reach = () =>
    new Promise<Held>(resolve => {
      const nth = responses.length
      responses.push(() => resolve({ close: () => closed.push(nth) }))
    })
  return { responses, closed, reach }
}

const refusal = (taking: Promise<unknown>) =>
  taking.then(
    () => 'taken',
    ({ code }: { code: string }) => code,
  )

test('a responsive disk serves all callers, a few at a time', async () => {
  const disk = makeDisk()
  const watchdog = new DiskWatchdog(PATIENCE)
  const taken = Promise.all(Array.from({ length: MANY }, () => watchdog.take(disk.reach)))
  const few = disk.responses.length
  expect(few).toBeLessThan(MANY)
  for (let nth = 0; nth < MANY; nth++) {
    disk.responses[nth]?.()
    await Promise.resolve()
    await new Promise(resolve => setImmediate(resolve))
    expect(disk.responses.length).toBeLessThanOrEqual(nth + 1 + few)
  }
  expect(await taken).toHaveLength(MANY)
  expect(disk.closed).toEqual([])
})

test('DISK-08 a hanging disk is given up, occupies few threads, and its late results are released', async () => {
  const disk = makeDisk()
  const watchdog = new DiskWatchdog(PATIENCE)
  const outcomes = Promise.all(Array.from({ length: MANY }, () => refusal(watchdog.take(disk.reach))))
  const few = disk.responses.length
  expect(new Set(await outcomes)).toEqual(new Set(['unavailable']))
  expect(await refusal(watchdog.take(disk.reach))).toBe('unavailable')
  expect(disk.responses).toHaveLength(few)
  for (const respond of disk.responses) respond()
  await expect.poll(() => disk.closed).toHaveLength(few)
  const taking = refusal(watchdog.take(disk.reach))
  disk.responses.at(-1)?.()
  expect(await taking).toBe('taken')
})

test('an error of the disk counts as a response', async () => {
  const watchdog = new DiskWatchdog(PATIENCE)
  const failing = () => Promise.reject(new Error('broken'))
  for (let nth = 0; nth < MANY; nth++) await expect(watchdog.take(failing)).rejects.toThrow('broken')
})
