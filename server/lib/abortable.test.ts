import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { abortable } from './abortable.ts'

test('a reader that begins after the signal gets the error, which nothing else reports', async () => {
  const reported: unknown[] = []
  const report = (error: unknown) => reported.push(error)
  process.on('uncaughtExceptionMonitor', report)
  const stream = abortable(AbortSignal.abort(new Error('the client disconnected')), Readable.from(['content']))
  await setImmediate()
  await expect(buffer(stream)).rejects.toMatchObject({ name: 'AbortError' })
  process.off('uncaughtExceptionMonitor', report)
  expect(reported).toEqual([])
})
