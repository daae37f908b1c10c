import { expect, test } from 'vitest'
import type { FilePath } from '../../shared/path.ts'
import type { Cluster } from './cluster.ts'

/** Two instances of one installation; for a cluster of one process, the same instance twice. */
export type Pair = readonly [one: Cluster, other: Cluster]

const ABOUT = { folder: '/' as FilePath, change: 'created' } as const

/**
 * The contract of every cluster.
 * @param open makes a new pair, which ends with the test
 */
export function conformance(open: () => Promise<Pair>): void {
  conformanceOfLocks(open)

  test('a message reaches the subscribers until they unsubscribe', async () => {
    const [one, other] = await open()
    const received: string[] = []
    const stop = one.subscribe('files.changed', ({ path }) => received.push(path))
    other.subscribe('files.changed', ({ path }) => received.push(`other ${path}`))
    const publish = (path: string) => one.publish('files.changed', { ...ABOUT, path: path as FilePath })
    publish('/a')
    expect(received).toContain('/a')
    await expect.poll(() => received).toContain('other /a')
    stop()
    publish('/b')
    await expect.poll(() => received).toContain('other /b')
    expect(received).not.toContain('/b')
  })

  test('messages arrive unchanged and in order, whatever their length and characters', async () => {
    const [one, other] = await open()
    const paths = ['/short', `/${'ü'.repeat(9000)}`, '/half \ud800, a quote\' and " and \\', `/${'漢'.repeat(4000)}`]
    const received: string[] = []
    other.subscribe('files.changed', ({ path }) => received.push(path))
    for (const path of paths) one.publish('files.changed', { ...ABOUT, path: path as FilePath })
    await expect.poll(() => received.length).toBe(paths.length)
    expect(received).toEqual(paths)
  })
}

function conformanceOfLocks(open: () => Promise<Pair>): void {
  test('a lock admits one holder at a time, in order of arrival within one process', async () => {
    const [cluster] = await open()
    const seen: string[] = []
    const act = (name: string) => async () => {
      seen.push(`${name} in`)
      await new Promise(resolve => setTimeout(resolve, 5))
      seen.push(`${name} out`)
    }
    await Promise.all(['a', 'b', 'c'].map(name => cluster.lock('key', act(name))))
    expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
  })

  test('the holder of a lock is told whether another held it before', async () => {
    const [one, other] = await open()
    const begun = Promise.withResolvers<void>()
    const received: [string, boolean][] = []
    const act = (name: string) => async (waited: boolean) => {
      received.push([name, waited])
      begun.resolve()
      await new Promise(resolve => setTimeout(resolve, 200))
    }
    const first = one.lock('key', act('first'))
    await begun.promise
    await Promise.all([first, one.lock('key', act('here')), other.lock('key', act('there'))])
    expect(received[0]).toEqual(['first', false])
    expect(received).toContainEqual(['here', true])
    expect(received).toContainEqual(['there', true])
  })

  test('a lock admits one holder at a time, across instances', async () => {
    const pair = await open()
    let inside = 0
    let most = 0
    const act = async () => {
      inside += 1
      most = Math.max(most, inside)
      await new Promise(resolve => setTimeout(resolve, 2))
      inside -= 1
    }
    await Promise.all(Array.from({ length: 12 }, (_, index) => pair[index % 2 ? 1 : 0].lock('key', act)))
    expect([most, inside]).toEqual([1, 0])
  })

  test('a lock is released after a failure, and other keys never wait', async () => {
    const [one, other] = await open()
    await expect(one.lock('key', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const end = Promise.withResolvers<void>()
    const busy = one.lock('busy', () => end.promise)
    expect(await other.lock('key', async () => 'mine')).toBe('mine')
    end.resolve()
    await busy
  })

  test('waiting for a lock can be aborted without affecting the waiters behind', async () => {
    const [one, other] = await open()
    const entered = Promise.withResolvers<void>()
    const first = Promise.withResolvers<void>()
    const holding = one.lock('key', () => {
      entered.resolve()
      return first.promise
    })
    await entered.promise
    const impatient = other.lock('key', async () => 'never', AbortSignal.timeout(5))
    const patient = other.lock('key', async () => 'at last')
    await expect(impatient).rejects.toThrow()
    first.resolve()
    await holding
    expect(await patient).toBe('at last')
  })
}
