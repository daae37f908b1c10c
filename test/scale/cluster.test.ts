import { afterEach, describe, expect, test } from 'vitest'
import type { Cluster } from '../../server/cluster/cluster.ts'
import { conformance } from '../../server/cluster/conformance.ts'
import { openPostgresCluster } from '../../server/cluster/postgres.ts'
import { ask, hasPostgres, sharedPostgres } from './postgres.ts'

const opened: Cluster[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(cluster => cluster.close()))
})

async function openPair(database: string): Promise<[Cluster, Cluster]> {
  const pair = await Promise.all([openPostgresCluster(database), openPostgresCluster(database)])
  opened.push(...pair)
  return pair as [Cluster, Cluster]
}

/** Closes every connection of the instances, as a restart of the database does. */
const cut = (database: string) =>
  ask(database, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'filigree'")

describe.runIf(hasPostgres)('the cluster of instances on PostgreSQL', async () => {
  const database = hasPostgres ? await (await sharedPostgres()).make() : ''

  conformance(() => openPair(database))

  test('a lock is free for others when the connection of its holder is lost', async () => {
    const [one, other] = await openPair(database)
    const entered = Promise.withResolvers<void>()
    const holding = one.lock('key', () => {
      entered.resolve()
      return new Promise(() => {})
    })
    await entered.promise
    await one.close()
    expect(await other.lock('key', async () => 'mine')).toBe('mine')
    expect(holding).toBeInstanceOf(Promise)
  })

  test('an instance that was disconnected detects missed messages, is heard again, and gets locks', async () => {
    const [one, other] = await openPair(database)
    const heard: string[] = []
    other.subscribe('messages.missed', () => heard.push('missed'))
    other.subscribe('user.changed', ({ id }) => heard.push(`user ${id}`))
    await cut(database)
    await expect.poll(() => heard).toContain('missed')
    expect(await other.lock('key', () => one.lock('other key', async () => 'both'))).toBe('both')
    one.publish('user.changed', { id: 7 })
    await expect.poll(() => heard).toContain('user 7')
  })

  test('a lock that is held while the connection is lost is held again once it is restored', async () => {
    const [one, other] = await openPair(database)
    const [entered, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const back = Promise.withResolvers<void>()
    one.subscribe('messages.missed', () => back.resolve())
    const holding = one.lock('key', () => {
      entered.resolve()
      return end.promise
    })
    await entered.promise
    await cut(database)
    await back.promise
    await one.lock('what is asked later comes later', async () => {})
    await expect(other.lock('key', async () => 'mine', AbortSignal.timeout(300))).rejects.toThrow()
    end.resolve()
    await holding
    expect(await other.lock('key', async () => 'mine')).toBe('mine')
  })
})
