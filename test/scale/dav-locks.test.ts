import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { basic } from '../integration/dav-place.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

/** Whole: 200. */
const RACES = Number(process.env.FILIGREE_SCALE_RACES ?? 25)
const LOCKINFO =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'

describe.runIf(hasPostgres)('DAV-29 two servers on one database', async () => {
  const database = await (await sharedPostgres()).make()
  const one = await serve({ database })
  const other = await serve({ database, root: one.root })
  await person(one)
  const file = join(one.root, 'a.txt')

  const dav = async (at: OwnServer, method: string, body = '', headers: Record<string, string> = {}) => {
    const Authorization = basic('admin', at.adminPassword)
    const answer = await fetch(`${at.url}/dav/a.txt`, {
      method,
      headers: { Authorization, ...headers },
      ...(body && { body }),
    })
    await answer.arrayBuffer()
    return answer
  }
  const tokenOf = (answer: Response) => answer.headers.get('lock-token') ?? ''

  test('a lock taken at one stops the other, until it is released at either', async () => {
    await writeFile(file, 'old')
    const token = tokenOf(await dav(one, 'LOCK', LOCKINFO))
    expect((await dav(other, 'PUT', 'new')).status).toBe(423)
    expect((await dav(other, 'PUT', 'new', { If: `(${token})` })).status).toBe(204)
    expect((await dav(other, 'UNLOCK', '', { 'Lock-Token': token })).status).toBe(204)
    expect((await dav(one, 'PUT', 'newer')).status).toBe(204)
  })

  test(`of two locks at the same time one is granted, and only its holder writes, ${RACES} times`, async () => {
    for (let race = 0; race < RACES; race += 1) {
      await writeFile(file, 'old')
      const locks = await Promise.all([one, other].map(at => dav(at, 'LOCK', LOCKINFO)))
      expect(locks.map(({ status }) => status).sort()).toEqual([200, 423])
      const token = locks.map(tokenOf).find(text => text !== '') ?? ''
      const puts = await Promise.all([
        dav(one, 'PUT', 'without'),
        dav(other, 'PUT', 'with', { If: `(${token})` }),
        dav(other, 'PUT', 'without'),
      ])
      expect(puts.map(({ status }) => status)).toEqual([423, 204, 423])
      expect(await readFile(file, 'utf8')).toBe('with')
      expect((await dav(one, 'UNLOCK', '', { 'Lock-Token': token })).status).toBe(204)
    }
  }, 600_000)
})
