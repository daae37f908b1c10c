import { expect, test } from 'vitest'
import { type Held, Turns } from './disk-watchdog.ts'

const PATIENCE = 100
/** More than may be at a disk at a time. */
const MANY = 20

/** A disk that answers when it is told to. */
function makeDisk() {
  const answers: (() => void)[] = []
  const closed: number[] = []
  const reach = () =>
    new Promise<Held>(resolve => {
      const nth = answers.length
      answers.push(() => resolve({ close: () => closed.push(nth) }))
    })
  return { answers, closed, reach }
}

const refusal = (taking: Promise<unknown>) =>
  taking.then(
    () => 'taken',
    ({ code }: { code: string }) => code,
  )

test('a disk that answers takes everybody, a few at a time', async () => {
  const disk = makeDisk()
  const turns = new Turns(PATIENCE)
  const taken = Promise.all(Array.from({ length: MANY }, () => turns.take(disk.reach)))
  const few = disk.answers.length
  expect(few).toBeLessThan(MANY)
  for (let nth = 0; nth < MANY; nth++) {
    disk.answers[nth]?.()
    await Promise.resolve()
    await new Promise(resolve => setImmediate(resolve))
    expect(disk.answers.length).toBeLessThanOrEqual(nth + 1 + few)
  }
  expect(await taken).toHaveLength(MANY)
  expect(disk.closed).toEqual([])
})

test('DISK-08 a disk that hangs is given up, keeps few threads, and what it gives too late is given back', async () => {
  const disk = makeDisk()
  const turns = new Turns(PATIENCE)
  const outcomes = Promise.all(Array.from({ length: MANY }, () => refusal(turns.take(disk.reach))))
  const few = disk.answers.length
  expect(new Set(await outcomes)).toEqual(new Set(['unavailable']))
  expect(await refusal(turns.take(disk.reach))).toBe('unavailable')
  expect(disk.answers).toHaveLength(few)
  for (const answer of disk.answers) answer()
  await expect.poll(() => disk.closed).toHaveLength(few)
  const taking = refusal(turns.take(disk.reach))
  disk.answers.at(-1)?.()
  expect(await taking).toBe('taken')
})

test('an error of the disk is an answer', async () => {
  const turns = new Turns(PATIENCE)
  const failing = () => Promise.reject(new Error('broken'))
  for (let nth = 0; nth < MANY; nth++) await expect(turns.take(failing)).rejects.toThrow('broken')
})
