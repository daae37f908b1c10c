// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { type SettledReport, UploadQueue } from './queue.ts'
import type { Transport } from './transport-types.ts'

test('an existing folder is ensured, is not a conflict and is not counted', async () => {
  const folders: string[] = []
  const transport: Transport = {
    makeFolder: async path => void folders.push(path),
    sendFile: async () => undefined,
    discard: async () => undefined,
    isSame: async () => false,
    isReachable: async () => true,
  }
  const queue = new UploadQueue(transport)
  const ended = new Promise<SettledReport>(resolve => queue.onSettled(resolve))
  queue.add([
    { path: parsePath('/old'), file: undefined, existing: { size: 0, modified: 0, isDir: true } },
    { path: parsePath('/old/new'), file: undefined, existing: undefined },
  ])
  expect(await ended).toEqual({ done: 1, skipped: 0, failed: 0 })
  expect(folders).toEqual(['/old', '/old/new'])
})
