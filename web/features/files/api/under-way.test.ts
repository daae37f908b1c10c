import { expect, test } from 'vitest'
import { afterThoseUnderWay, noteUnderWay } from './under-way.ts'

test('an undo waits for the changes that began before it, also for one that fails', async () => {
  const [first, second, later] = Array.from({ length: 3 }, () => Promise.withResolvers<string>())
  const log: string[] = []
  const noted = [first, second].map(operation =>
    noteUnderWay(operation?.promise ?? Promise.resolve('')).catch(() => 'failed'),
  )
  const waiting = afterThoseUnderWay().then(() => log.push('undo'))
  void noteUnderWay(later?.promise ?? Promise.resolve(''))
  first?.resolve('done')
  await noted[0]
  expect(log).toEqual([])
  second?.reject(new Error('no'))
  await waiting
  expect([log, await noted[1]]).toEqual([['undo'], 'failed'])
  await expect(Promise.race([later?.promise, Promise.resolve('open')])).resolves.toBe('open')
})
