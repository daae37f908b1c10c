import { randomBytes } from 'node:crypto'
import { glob, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { halves } from '../../server/features/previews/test-pictures.ts'
import { LIMITS } from '../../server/limits.ts'
import { call, login, person } from '../api/client.ts'
import { ADMIN_PASSWORD } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { linkTo, load } from '../api/links-client.ts'
import { tusOf } from '../api/tus.ts'
import { listen, toItsEnd } from './instances.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

describe.runIf(hasPostgres)('servers on PostgreSQL', async () => {
  const postgres = await sharedPostgres()
  const database = await postgres.make()
  const [one, other] = await (async () => {
    const first = await serve({ database })
    return [first, await serve({ database, root: first.root })]
  })()

  test('a session of one is accepted by the other, and ends everywhere at once', async () => {
    const owner = await person(one)
    const at = (place: typeof one, method: string, path: string) =>
      call(place, path, { method, headers: { 'X-Auth': owner.token } })
    expect((await at(other, 'GET', '/api/resources/')).status).toBe(200)
    expect((await at(other, 'POST', '/api/logout')).status).toBe(204)
    expect((await at(one, 'GET', '/api/resources/')).status).toBe(401)
  })

  test('PAT-04 an API token that one ends is refused by the other at once, and its download there is cut off', async () => {
    const owner = await person(one)
    await writeFile(join(one.root, 'big.bin'), Buffer.alloc(64 * 1024 * 1024))
    const body = JSON.stringify({ label: 'x', scopes: ['read'], current_password: ADMIN_PASSWORD })
    const { id, token } = JSON.parse(
      (await call(one, '/api/tokens', { method: 'POST', token: owner.token, body })).text,
    )
    const { body: content } = await fetch(`${other.url}/api/raw/big.bin`, { headers: { 'X-Auth': token } })
    const reader = content?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    expect((await call(one, `/api/tokens/${id}`, { method: 'DELETE', token: owner.token })).status).toBe(204)
    expect((await call(other, '/api/resources/', { token })).status).toBe(401)
    const toEnd = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(toEnd()).rejects.toThrow()
  })

  test('an upload resumes at another server, and is visible live at the first', async () => {
    const owner = await person(one)
    const seen = listen(one, owner, '/')
    const content = randomBytes(300_000)
    expect((await tusOf(one, owner).create('/live.bin', content.length)).status).toBe(201)
    expect((await tusOf(other, owner).patch('/live.bin', 0, content.subarray(0, 100_000))).status).toBe(204)
    expect((await tusOf(one, owner).patch('/live.bin', 100_000, content.subarray(100_000, 200_000))).status).toBe(204)
    expect((await tusOf(other, owner).patch('/live.bin', 200_000, content.subarray(200_000))).status).toBe(204)
    expect((await readFile(join(one.root, 'live.bin'))).equals(content)).toBe(true)
    await expect.poll(() => seen.text).toContain('event: folder')
  })

  test('a preview made by one is sent by the other, where they share a folder for previews', async () => {
    const [folder, own] = [join(one.home, 'seen'), await postgres.make()]
    const args = ['--previewDir', folder]
    const maker = await serve({ database: own, args })
    const giver = await serve({ database: own, root: maker.root, args })
    await writeFile(join(maker.root, 'a.png'), await halves(600, 400).png().toBuffer())
    const { token } = await person(maker)
    const ask = (place: typeof one) => call(place, '/api/preview/thumb/a.png?inline=true', { token })
    const kept = async () => {
      const found = await Array.fromAsync(glob('**/*', { cwd: folder, withFileTypes: true }))
      const files = found
        .filter(entry => entry.isFile() && /^[0-9a-f]+$/.test(entry.name))
        .map(entry => stat(join(entry.parentPath, entry.name)))
      return (await Promise.all(files)).map(({ ino, mtimeMs }) => [ino, mtimeMs])
    }
    const made = await ask(maker)
    await expect.poll(kept).toHaveLength(1)
    const before = await kept()
    const given = await ask(giver)
    expect([made.status, given.status]).toEqual([200, 200])
    expect(given.bytes.equals(made.bytes)).toBe(true)
    expect(given.headers.get('etag')).toBe(made.headers.get('etag'))
    expect(await kept()).toEqual(before)
  })

  test('SHR-01 a link that one rebinds is bound for all, and ends everywhere at once when another removes its object', async () => {
    const own = await postgres.make()
    const sharer = await serve({ database: own })
    const remover = await serve({ database: own, root: sharer.root })
    const owner = await person(sharer)
    const at = join(sharer.root, 'shared.txt')
    const answers = async (hash: string) =>
      (await Promise.all([sharer, remover].map(place => load(place, hash)))).map(({ status }) => status)
    await writeFile(at, 'shared')
    const { hash } = await linkTo(sharer, owner.token, '/shared.txt')
    await writeFile(`${at}.new`, 'replaced')
    await rename(`${at}.new`, at)
    expect(await answers(hash)).toEqual([200, 200])
    const path = '/api/resources/shared.txt'
    expect((await call(remover, path, { method: 'DELETE', token: owner.token })).status).toBe(204)
    await writeFile(at, 'newcomer')
    expect(await answers(hash)).toEqual([404, 404])
  })

  test('SHR-06 guesses at names of links count together at every server', async () => {
    const guess = (place: typeof one) => call(place, `/api/public/share/${randomBytes(4).toString('hex')}`)
    const statuses = async (times: number) => {
      const answers = Array.from({ length: times }, (_, at) => guess(at % 2 ? one : other))
      return [...new Set((await Promise.all(answers)).map(({ status }) => status))]
    }
    expect(await statuses(LIMITS.linkMisses)).toEqual([404])
    expect(await statuses(2)).toEqual([429])
    const refused = await guess(one)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('commands of the console support it, and never show the password', async () => {
    const given = ['--database', database]
    const added = await toItsEnd(['users', 'add', 'anna', ADMIN_PASSWORD, ...given, '--root', one.root])
    expect(added).toMatchObject({ code: 0, output: expect.stringContaining('anna') })
    expect((await login(other, 'anna', ADMIN_PASSWORD)).status).toBe(200)
    const backup = await toItsEnd(['backup', join(one.home, 'copy'), ...given])
    expect(backup).toMatchObject({ code: 1, output: expect.stringContaining('pg_dump') })
    const secret = new URL(database).password
    expect(added.output + backup.output + one.output() + (await one.log())).not.toContain(secret)
  })

  test('an unusable database is reported in a message', async () => {
    const [wrong, missing] = [new URL(database), new URL(database)]
    wrong.password = 'not-the-password'
    missing.pathname = '/missing'
    for (const [address, sentence] of [
      [wrong.href, 'It refuses the user or the password.'],
      [missing.href, 'There is no such database.'],
      ['postgres://x:not-the-password@127.0.0.1:1/x', 'It cannot be reached (ECONNREFUSED).'],
    ] as const) {
      const refused = await openDb(address).catch(error => String(error))
      expect(refused).toContain(sentence)
      expect(refused).not.toContain('not-the-password')
    }
  })

  test('an empty database that replaced one that was set up is no first start, and stops the start', async () => {
    const lost = await postgres.make()
    const keep = join(one.home, 'keep')
    await (await openDb(lost, keep)).db.destroy()
    await postgres.empty(lost)
    const { code, output } = await toItsEnd(['--database', lost, '--root', one.root, '--port', '0', '--cacheDir', keep])
    expect([code, output]).toEqual([1, expect.stringContaining('It is empty, but it was set up before.')])
  })

  test('an unavailable database responds 503 with `Retry-After`, and is used again when it is back', async () => {
    const owner = await person(one)
    const list = () => call(other, '/api/resources/', { headers: { 'X-Auth': owner.token } })
    await postgres.down()
    const refused = await list()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3'])
    await postgres.up()
    await expect.poll(async () => (await list()).status).toBe(200)
  })
})
