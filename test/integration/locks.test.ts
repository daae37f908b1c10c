import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { createContext } from '../../server/context.ts'
import { StoredLocks } from '../../server/features/locks/locks.ts'
import { findUserByName } from '../../server/features/users/users.store.ts'
import type { Files } from '../../server/files/files.ts'
import type { LockRequest, SeenLock } from '../../server/files/locks.ts'
import { buildApp } from '../../server/http/app.ts'
import { openLog } from '../../server/http/log.ts'
import { LIMITS } from '../../server/limits.ts'
import type { LockList } from '../../shared/api/locks.ts'
import { parsePath } from '../../shared/path.ts'
import { GOOD_PASSWORD, manager, perm, send } from '../api/accounts.ts'
import { type Answer, call, encode, json, type Place, signIn } from '../api/client.ts'
import { ADMIN_PASSWORD, makeHome, uniqueName } from '../api/harness.ts'
import { tusOf } from '../api/tus.ts'

const home = await makeHome()
const root = join(home, 'srv')
const flags = ['--root', root, '--database', join(home, 'f.db'), '--port', '0', '--log', join(home, 'log')]
const config = readConfig(flags, { FILIGREE_ADMIN_PASSWORD: ADMIN_PASSWORD })
const context = await createContext(config)
await context.makeFirstAdmin()
const app = await buildApp(context, openLog(config))
const url = await app.listen({ host: '127.0.0.1', port: 0 })
await context.startWork()
afterAll(async () => {
  await app.close()
  await context.close()
  await rm(home, { recursive: true, force: true })
})

const server: Place = { url, adminPassword: ADMIN_PASSWORD }
const admin = await manager(server)
const RIGHTS = perm('create', 'rename', 'modify', 'delete', 'share', 'download')
const accountOf = async (scope = '.') => {
  const name = uniqueName('user')
  const id = await admin.add(name, { perm: RIGHTS, scope })
  return { id, name, token: await signIn(server, name, GOOD_PASSWORD) }
}
const [ann, bob] = [await accountOf(), await accountOf()]
const filesOf = async ({ name }: { name: string }, holding?: readonly string[]): Promise<Files> => {
  const user = await findUserByName(context.db, name)
  if (!user) throw new Error(name)
  return context.files.for(user, new Set(holding))
}
const HOUR = 3_600_000
const REQUEST: LockRequest = {
  deep: true,
  scope: 'exclusive',
  lifetime: HOUR,
  ownerXml: '',
  label: 'LibreOffice',
  via: 'dav',
}
const lock = async (path: string, more: Partial<LockRequest> = {}, who = ann): Promise<SeenLock> =>
  (await filesOf(who)).locks.take(parsePath(path), { ...REQUEST, ...more })

let top: string
let disk: string
beforeEach(async () => {
  const name = uniqueName('t')
  top = `/${name}`
  disk = join(root, name)
  await mkdir(join(disk, 'docs'), { recursive: true })
  await mkdir(join(disk, 'other/docs'), { recursive: true })
  for (const [path, content] of [
    ['docs/a.txt', 'content'],
    ['docs/b.txt', 'same'],
    ['other/same.txt', 'same'],
    ['other/a.txt', 'other'],
    ['other/docs/a.txt', 'new'],
  ] as const) {
    await writeFile(join(disk, path), content)
  }
})

const resource = (method: string, path: string, query = '', body?: string) =>
  call(server, `/api/resources${encode(top + path)}${query}`, {
    method,
    token: bob.token,
    ...(body === undefined ? {} : { body }),
  })
const transfer = (action: string, from: string, to: string, more = '') =>
  resource('PATCH', from, `?${new URLSearchParams({ action, destination: encode(top + to) })}${more}`)
const post = (path: string, body: object) => send(server, 'POST', path, bob.token, body)
const runJob = (fields: object) =>
  call(server, '/api/jobs', {
    method: 'POST',
    token: bob.token,
    headers: { 'Content-Type': 'application/json', Prefer: 'wait=20' },
    body: JSON.stringify(fields),
  })
const everything = async (): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const entry of await readdir(disk, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!/\.filigree|\.~fg/.test(path))
      found[path.slice(disk.length)] = entry.isFile() ? await readFile(path, 'utf8') : '/'
  }
  return found
}
const tus = tusOf({ url }, { token: bob.token })

/** What a lock of `docs/a.txt`, or of `docs` with all in it, refuses; `before` is done before there is a lock. */
const CHANGES: Record<string, { before?: () => Promise<unknown>; act: (before: unknown) => Promise<Answer> }> = {
  'an upload over it': { act: () => resource('POST', '/docs/a.txt', '?override=true', 'x') },
  'a save': { act: () => resource('PUT', '/docs/a.txt', '', 'x') },
  'its deletion': { act: () => resource('DELETE', '/docs/a.txt') },
  'the deletion of its folder': { act: () => resource('DELETE', '/docs') },
  'another name': { act: () => transfer('rename', '/docs/a.txt', '/docs/c.txt') },
  'another name of its folder': { act: () => transfer('rename', '/docs', '/papers') },
  'a copy over it': { act: () => transfer('copy', '/other/a.txt', '/docs/a.txt', '&override=true') },
  'a move over it': { act: () => transfer('rename', '/other/a.txt', '/docs/a.txt', '&override=true') },
  'a copy of a folder into its folder': { act: () => transfer('copy', '/other/docs', '/docs', '&override=true') },
  'a resumable upload': { act: () => tus.create(`${top}/docs/a.txt`, 1, { query: '?override=true' }) },
  'the end of a resumable upload': {
    before: () => tus.create(`${top}/docs/a.txt`, 1, { query: '?override=true' }),
    act: () => tus.patch(`${top}/docs/a.txt`, 0, 'x'),
  },
  'a job that moves it': {
    act: () => runJob({ kind: 'move', items: [{ from: `${top}/docs/a.txt`, to: `${top}/away.txt` }] }),
  },
  'a job that deletes it': { act: () => runJob({ kind: 'delete', items: [{ from: `${top}/docs/a.txt` }] }) },
  'a job that copies over it': {
    act: () =>
      runJob({
        kind: 'copy',
        conflict: 'replace',
        items: [{ from: `${top}/other/a.txt`, to: `${top}/docs/a.txt` }],
      }),
  },
  'many names at once': {
    act: () => runJob({ kind: 'rename', items: [{ from: `${top}/docs/a.txt`, to: `${top}/docs/c.txt` }] }),
  },
  'an archive extracted over it': {
    before: () =>
      runJob({
        kind: 'archive',
        items: [{ from: `${top}/other/a.txt` }],
        archive: { to: `${top}/a.zip`, format: 'zip' },
      }),
    act: () => runJob({ kind: 'extract', conflict: 'replace', items: [{ from: `${top}/a.zip`, to: `${top}/docs` }] }),
  },
  'a former content': {
    before: async () => {
      await resource('PUT', '/docs/a.txt', '', 'later')
      return json(await call(server, `/api/versions${top}/docs/a.txt`, { token: bob.token })).items[0]?.id
    },
    act: id => post(`/api/versions${top}/docs/a.txt`, { id, how: 'replace' }),
  },
  'the undo of a save': {
    before: async () => {
      await resource('PUT', '/docs/a.txt', '', 'later')
      return json(await call(server, `/api/changes?mine=true&folder=${top}`, { token: bob.token })).items[0]?.id
    },
    act: id => post(`/api/changes/${id}/undo`, {}),
  },
  'a deleted file restored over it': {
    before: async () => {
      await resource('DELETE', '/other/a.txt')
      return json(await call(server, `/api/trash?folder=${top}`, { token: bob.token })).items[0]?.id
    },
    act: id => post('/api/trash/restore', { items: [{ id, to: `${top}/docs/a.txt` }], conflict: 'replace' }),
  },
}

/** What a lock of `docs` alone refuses: names that appear or go. */
const NAMES: typeof CHANGES = {
  'a new file': { act: () => resource('POST', '/docs/new.txt', '', 'x') },
  'a new folder': { act: () => resource('POST', '/docs/new/') },
  'a new folder in a new one': { act: () => resource('POST', '/docs/new/inner/') },
  'a file moved into it': { act: () => transfer('rename', '/other/a.txt', '/docs/new.txt') },
  'a file moved out of it': { act: () => transfer('rename', '/docs/a.txt', '/a.txt') },
}

async function refuses({ before, act }: (typeof CHANGES)[string], locked: string, deep: boolean): Promise<void> {
  const made = await before?.()
  const held = await lock(top + locked, { deep })
  const was = await everything()
  const answer = await act(made)
  expect(await everything()).toEqual(was)
  if (answer.status === 423) {
    expect(answer.headers.get('x-error-code')).toBe('locked')
    expect(answer.headers.get('x-lock')).toBe(held.id)
  } else expect(answer.text).toContain('"locked"')
  await (await filesOf(ann)).locks.unlock(parsePath(top + locked), held.token)
}

describe('DAV-12 a lock of a file refuses', () => {
  test.each(Object.entries(CHANGES))('%s', (_what, change) => refuses(change, '/docs/a.txt', false))
})

describe('DAV-12 a lock of a folder with all in it refuses', () => {
  test.each(Object.entries({ ...CHANGES, ...NAMES }))('%s', (_what, change) => refuses(change, '/docs', true))
})

describe('DAV-12 a lock of a folder alone refuses', () => {
  test.each(Object.entries(NAMES))('%s', (_what, change) => refuses(change, '/docs', false))

  test('no change of a file in it', async () => {
    await lock(`${top}/docs`, { deep: false })
    expect((await resource('PUT', '/docs/a.txt', '', 'x')).status).toBe(200)
  })
})

describe('the holder of a lock', () => {
  test('passes with its token, and no other user does', async () => {
    const { token } = await lock(`${top}/docs/a.txt`)
    const path = parsePath(`${top}/docs/a.txt`)
    await expect((await filesOf(bob, [token])).remove(path)).rejects.toMatchObject({ code: 'locked' })
    await expect((await filesOf(ann)).remove(path)).rejects.toMatchObject({ code: 'locked' })
    await (await filesOf(ann, [token])).remove(path)
    expect(await everything()).not.toHaveProperty('/docs/a.txt')
  })

  test('loses it with the file, which may come back', async () => {
    const { token } = await lock(`${top}/docs/a.txt`)
    await (await filesOf(ann, [token])).remove(parsePath(`${top}/docs/a.txt`))
    expect((await resource('POST', '/docs/a.txt', '', 'x')).status).toBe(200)
    expect((await resource('PUT', '/docs/a.txt', '', 'y')).status).toBe(200)
  })

  test('moves the file with that token alone, and the lock ends', async () => {
    const { token } = await lock(`${top}/docs/a.txt`)
    const from = parsePath(`${top}/docs/a.txt`)
    const to = parsePath(`${top}/c.txt`)
    await (await filesOf(ann, [token])).transfers.move(from, to, { override: false, rename: false })
    expect((await resource('PUT', '/c.txt', '', 'y')).status).toBe(200)
  })

  test('meets the same file by a symbolic link', async () => {
    await symlink('a.txt', join(disk, 'docs/link.txt'))
    await lock(`${top}/docs/link.txt`)
    expect((await resource('PUT', '/docs/a.txt', '', 'y')).status).toBe(423)
    expect((await resource('DELETE', '/docs/link.txt')).status).toBe(204)
  })

  test('stops users of a narrower scope, who see it at the nearest path of theirs', async () => {
    const inner = await accountOf(`${top}/docs`)
    const { id } = await lock(`${top}/docs`)
    const answer = await call(server, '/api/resources/a.txt', { method: 'PUT', token: inner.token, body: 'x' })
    expect([answer.status, answer.headers.get('x-lock')]).toEqual([423, id])
    const { locks } = json(await call(server, '/api/locks/a.txt', { token: inner.token })) as LockList
    expect(locks).toMatchObject([{ id, path: '/', mine: false, releasable: false, who: ann.name }])
  })
})

describe('a lock', () => {
  const listed = async (path: string, who: { token: string } = bob): Promise<LockList['locks']> =>
    json(await call(server, `/api/locks${path}`, { token: who.token })).locks
  const release = (path: string, id: string, token: string) =>
    call(server, `/api/locks${path}?${new URLSearchParams({ id })}`, { method: 'DELETE', token })

  test('is listed with its path, those of folders above it, and those in it', async () => {
    const docs = await lock(`${top}/docs`, { scope: 'shared' })
    const file = await lock(`${top}/docs/a.txt`, { scope: 'shared' })
    expect((await listed(`${top}/docs/b.txt`)).map(({ id }) => id)).toEqual([docs.id])
    expect((await listed(`${top}/docs/a.txt`)).map(({ id }) => id)).toEqual([docs.id, file.id])
    const since = new Date(file.since).toISOString()
    const until = new Date(file.until).toISOString()
    expect((await listed(top))[1]).toEqual({
      id: file.id,
      path: `${top}/docs/a.txt`,
      mine: false,
      releasable: false,
      who: ann.name,
      label: 'LibreOffice',
      via: 'dav',
      since,
      until,
      depth: '0',
      scope: 'shared',
    })
  })

  test('of a folder alone is listed for the items in it, whose names it holds, and not further below', async () => {
    await lock(top, { deep: false })
    expect(await listed(`${top}/docs`)).toMatchObject([{ path: top, depth: '0' }])
    expect(await listed(`${top}/docs/a.txt`)).toEqual([])
  })

  test('is announced to clients that show its folder', async () => {
    const end = new AbortController()
    const query = new URLSearchParams({ folder: `${top}/docs` })
    const stream = await fetch(`${url}/api/events?${query}`, { headers: { 'X-Auth': bob.token }, signal: end.signal })
    const held = await lock(`${top}/docs/a.txt`)
    await (await filesOf(ann)).locks.unlock(parsePath(held.path), held.token)
    const read = async () => {
      let text = ''
      for await (const bytes of stream.body ?? []) {
        text += Buffer.from(bytes).toString()
        if (text.split('event: lock').length > 2) return text
      }
      return text
    }
    expect(await read()).toContain(`event: lock\ndata: {"path":"${top}/docs"}`)
    end.abort()
  })

  test('of a path that is missing or denied is not listed', async () => {
    expect((await call(server, `/api/locks${top}/nothing`, { token: bob.token })).status).toBe(404)
    const blind = uniqueName('user')
    await admin.add(blind, { perm: RIGHTS, rules: [{ regex: false, allow: false, path: `${top}/docs`, regexp: null }] })
    const token = await signIn(server, blind, GOOD_PASSWORD)
    await lock(`${top}/docs/a.txt`)
    expect((await call(server, `/api/locks${top}/docs`, { token })).status).toBe(403)
    expect(await listed(top, { token })).toEqual([])
  })

  test('is released by its user and by administrators, which the audit log distinguishes', async () => {
    const path = `${top}/docs/a.txt`
    const [first] = [await lock(path)]
    expect((await release(path, first.id, bob.token)).status).toBe(403)
    expect((await release(path, 'none', ann.token)).status).toBe(404)
    expect((await release(path, first.id, ann.token)).status).toBe(204)
    const second = await lock(path)
    expect((await release(path, second.id, admin.token)).status).toBe(204)
    expect((await resource('PUT', '/docs/a.txt', '', 'y')).status).toBe(200)
    const rows = json(await call(server, '/api/audit', { token: admin.token })).rows
    const released = rows.filter((row: { target: string }) => row.target.startsWith('lock:')).slice(0, 2)
    expect(released).toMatchObject([
      { action: 'lock.break', path, target: `lock:${second.id} LibreOffice`, outcome: 'done' },
      { action: 'unlock', path, target: `lock:${first.id} LibreOffice`, outcome: 'done' },
    ])
  })

  test('ends with its time, unless it is refreshed', async () => {
    const path = parsePath(`${top}/docs/a.txt`)
    const { token } = await lock(path, { lifetime: 1 })
    await expect.poll(async () => (await resource('PUT', '/docs/a.txt', '', 'y')).status).toBe(200)
    await expect((await filesOf(ann)).locks.refresh(path, token, HOUR)).rejects.toMatchObject({ code: 'no_lock' })
    const kept = await lock(path)
    const { until } = await (await filesOf(ann)).locks.refresh(path, kept.token, 2 * HOUR)
    expect(until).toBeGreaterThan(kept.until)
    await context.db.updateTable('locks').set({ expires_at: 0 }).execute()
    await new StoredLocks(context).sweep()
    expect(await context.db.selectFrom('locks').select('id').execute()).toEqual([])
  })

  test('ends with the session that took it, and with its user', async () => {
    const carl = await accountOf()
    const take = async (bearer: string) => {
      const user = await findUserByName(context.db, carl.name)
      const own = await context.files.for({ ...user, sessionId: bearer } as NonNullable<typeof user>)
      await own.locks.take(parsePath(`${top}/docs/a.txt`), REQUEST)
    }
    await take('one')
    await context.endSession(carl.id, 'other')
    expect((await resource('PUT', '/docs/a.txt', '', 'y')).status).toBe(423)
    await context.endSession(carl.id, 'one')
    expect((await resource('PUT', '/docs/a.txt', '', 'y')).status).toBe(200)
    await take('two')
    await admin.remove(carl.id)
    expect((await resource('PUT', '/docs/a.txt', '', 'y')).status).toBe(200)
  })

  test('that conflicts with another one is refused', async () => {
    await lock(`${top}/docs/a.txt`)
    await expect(lock(`${top}/docs`, {}, bob)).rejects.toMatchObject({ code: 'locked' })
    await expect(lock(`${top}/docs/a.txt`, { scope: 'shared' }, bob)).rejects.toMatchObject({ code: 'locked' })
    await expect(lock('/', {}, bob)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(lock(`${top}/nothing`, {}, bob)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('DAV-10 is refused beyond the limit of its user, and only there', async () => {
    const carl = await accountOf()
    const row = {
      place: '/elsewhere',
      depth: 0,
      scope: 'exclusive',
      user_id: carl.id,
      bearer: '',
      owner_xml: '',
    } as const
    const times = { label: '', via: 'dav', created_at: 0, refreshed_at: 0, expires_at: Date.now() + HOUR } as const
    const rows = Array.from({ length: LIMITS.locksOfUser }, (_, n) => ({
      ...row,
      ...times,
      id: `n${n}`,
      token: `n${n}`,
    }))
    for (let at = 0; at < rows.length; at += 500) {
      await context.db
        .insertInto('locks')
        .values(rows.slice(at, at + 500))
        .execute()
    }
    await expect(lock(`${top}/docs/a.txt`, {}, carl)).rejects.toMatchObject({ code: 'no_space' })
    expect(await lock(`${top}/docs/a.txt`)).toMatchObject({ mine: true })
  })
})
