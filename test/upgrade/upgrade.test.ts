import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { GOOD_PASSWORD, manager, send } from '../api/accounts.ts'
import { call, encode, json, login } from '../api/client.ts'
import { startServer } from '../api/harness.ts'
import { load, withPassword } from '../api/links-client.ts'
import { DATABASES, LINK_PASSWORD, type Made, makeFiles, STARRED } from './home.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const VERSIONS = readdirSync(DATABASES).flatMap(name =>
  name.endsWith('.db.gz') ? name.slice(0, -'.db.gz'.length) : [],
)

/** A server on a copy of a kept database, whose first start upgrades it. */
async function upgraded(version: string) {
  const made: Made = JSON.parse(read(join(DATABASES, `${version}.json`)))
  const server = await startServer({
    async prepare({ root, database }) {
      makeFiles(root)
      writeFileSync(database, gunzipSync(readFileSync(join(DATABASES, `${version}.db.gz`))))
    },
  })
  onTestFinished(() => server.stop())
  return { server, made }
}

test.each(VERSIONS)(
  'DB-07: a database of version %s is upgraded, and its users, groups, links, marks and tokens work as before',
  async version => {
    const { server, made } = await upgraded(version)
    const { token } = await manager(server)
    expect((await login(server, 'ann', GOOD_PASSWORD)).status).toBe(200)
    const groups: { id: string; name: string }[] = json(await send(server, 'GET', '/api/groups', token))
    expect(groups).toContainEqual(expect.objectContaining({ id: made.group, name: 'council' }))
    expect((await send(server, 'GET', '/api/stars', token)).text).toContain(STARRED)
    expect((await send(server, 'GET', '/api/tags', token)).text).toContain('Spring')
    expect((await load(server, made.links.file)).text).toBe('Dear council,\n')
    const locked = await load(server, made.links.folder, '/may.txt')
    const opened = await load(server, made.links.folder, '/may.txt', '', withPassword(LINK_PASSWORD))
    expect([locked.status, opened.status]).toEqual([401, 200])
    const ofProgram = { headers: { Authorization: `Bearer ${made.token}` } }
    expect((await call(server, `/api/resources${encode(STARRED)}`, ofProgram)).status).toBe(200)
  },
)

test('a database of each released version is kept, of which the changelog has a section', () => {
  const changelog = read(join(DATABASES, '../../../CHANGELOG.md'))
  const released = [...changelog.matchAll(/^## \[(\d[^\]]*)\]/gm)].map(([, version = '']) => version)
  expect(released.filter(version => !VERSIONS.includes(version))).toEqual([])
})
