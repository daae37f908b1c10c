import { describe, expect, test } from 'vitest'
import type { FilePath } from '../../shared/path.ts'
import { openLocalCluster } from './local.ts'

describe('a lock', () => {
  test('lets one act at a time, in order of arrival', async () => {
    const cluster = openLocalCluster()
    const seen: string[] = []
    const act = (name: string) => async () => {
      seen.push(`${name} in`)
      await new Promise(resolve => setTimeout(resolve, 5))
      seen.push(`${name} out`)
    }
    await Promise.all(['a', 'b', 'c'].map(name => cluster.lock('key', act(name))))
    expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
  })

  test('is free again after a failure, and other keys never wait', async () => {
    const cluster = openLocalCluster()
    await expect(cluster.lock('key', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const never = cluster.lock('busy', () => new Promise(() => {}))
    expect(await cluster.lock('key', async () => 'mine')).toBe('mine')
    expect(never).toBeInstanceOf(Promise)
  })

  test('can be given up while waiting without harm to those behind', async () => {
    const cluster = openLocalCluster()
    const first = Promise.withResolvers<void>()
    const holding = cluster.lock('key', () => first.promise)
    const impatient = cluster.lock('key', async () => 'never', AbortSignal.timeout(5))
    const patient = cluster.lock('key', async () => 'at last')
    await expect(impatient).rejects.toThrow()
    first.resolve()
    await holding
    expect(await patient).toBe('at last')
  })
})

test('a message reaches those who subscribed, until they no longer want it', () => {
  const cluster = openLocalCluster()
  const heard: string[] = []
  const stop = cluster.subscribe('files.changed', ({ path }) => heard.push(path))
  const message = { folder: '/' as FilePath, path: '/a' as FilePath, change: 'created' as const }
  cluster.publish('files.changed', message)
  stop()
  cluster.publish('files.changed', message)
  expect(heard).toEqual(['/a'])
})
