import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { call, json, person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { asNobody, canBeNobody, NOBODY } from '../api/nobody.ts'
import { unpack } from '../api/unpack.ts'

describe.runIf(canBeNobody)('a server that is not run by root', async () => {
  const options = await asNobody()
  const root = join(options.home, 'srv')
  const server = await serve(options)
  const owner = await person(server)

  test('CRASH-14 reports a writable file in a read-only folder, and keeps the file', async () => {
    const folder = join(root, 'closed')
    await mkdir(folder)
    await writeFile(join(folder, 'a.txt'), 'old')
    await chmod(join(folder, 'a.txt'), 0o666)
    await chmod(folder, 0o555)
    for (const saved of [
      await owner.put('/closed/a.txt', 'new', '?override=true'),
      await owner.put('/closed/b', 'b'),
    ]) {
      expect([saved.status, saved.headers.get('x-error-code')]).toEqual([403, 'server_refused'])
    }
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['a.txt'])
  })

  test('explains that a folder cannot be listed, not denied by a rule, and names nothing in it', async () => {
    await mkdir(join(root, 'sealed'))
    await writeFile(join(root, 'sealed/inner.txt'), 'inner')
    for (const mode of [0o700, 0o711, 0o744]) {
      await chmod(join(root, 'sealed'), mode)
      const listed = await owner.get('/sealed')
      expect([mode, listed.status, listed.headers.get('x-error-code')]).toEqual([mode, 403, 'server_refused'])
      expect(listed.text).not.toContain('inner')
    }
  })

  const admin = await manager(server)
  await mkdir(join(root, 'ann/closed/deep'), { recursive: true })
  await writeFile(join(root, 'ann/closed/deep/a.txt'), 'a')
  await writeFile(join(root, 'ann/closed.txt'), 'closed')
  await chmod(join(root, 'ann/closed.txt'), 0o600)
  await chmod(join(root, 'ann/closed'), 0o700)
  await mkdir(join(root, 'ann/own'))
  await chown(join(root, 'ann/own'), NOBODY, NOBODY)
  await chmod(join(root, 'ann/own'), 0o000)
  const ann = await newcomer(server, admin, {
    scope: '/ann',
    perm: perm('download', 'create', 'rename', 'modify', 'delete'),
    rules: [{ regex: false, allow: false, path: '/closed/denied', regexp: null }],
  })
  const why = async (token: string, path: string, action: string) =>
    json(await call(server, `/api/why?path=${encodeURIComponent(path)}&action=${action}&user=${ann.name}`, { token }))
  const last = async (token: string, path: string, action: string) => (await why(token, path, action)).steps.at(-1)
  const runsAs = { id: NOBODY, name: 'nobody' }
  const place = join(root, 'ann/closed')

  test('explains a folder that the server cannot read: its owner, its mode, and how to fix it', async () => {
    for (const action of ['list', 'read']) {
      expect(await why(admin.token, '/closed', action)).toMatchObject({ allowed: false })
      expect(await last(admin.token, '/closed', action)).toEqual({
        check: 'mode',
        ok: false,
        code: 'server_refused',
        rights: {
          path: '/closed',
          lacks: 'read',
          mode: '0700',
          owner: { id: 0, name: 'root' },
          server: runsAs,
          line: `setfacl -R -m u:${NOBODY}:rX ${place}`,
        },
      })
    }
  })

  test('explains it to its user without accounts and paths of the host', async () => {
    const rights = { path: '/closed', lacks: 'read', mode: '0700', owner: { id: 0 } }
    const answer = await why(ann.token, '/closed', 'list')
    expect(answer.steps.at(-1)).toEqual({ check: 'mode', ok: false, code: 'server_refused', rights })
    expect(JSON.stringify(answer)).not.toMatch(/root|nobody|srv/)
  })

  test('explains an entry of such a folder by that folder, whether or not it exists', async () => {
    for (const action of ['list', 'read', 'remove', 'create']) {
      const [there, missing] = [
        await why(ann.token, '/closed/deep', action),
        await why(ann.token, '/closed/no', action),
      ]
      expect([action, there]).toEqual([action, missing])
      expect(there.steps.at(-1).rights).toMatchObject({ path: '/closed', owner: { id: 0 } })
    }
  })

  test('discloses nothing of the disk where a rule refuses first', async () => {
    const denied = await why(ann.token, '/closed/denied', 'list')
    expect(denied.steps.at(-1)).toEqual({ check: 'rule', ok: false, by: 'own' })
  })

  test('explains files, folders that are read-only, and those of the server itself', async () => {
    expect((await last(admin.token, '/closed.txt', 'read')).rights).toMatchObject({
      path: '/closed.txt',
      mode: '0600',
    })
    expect((await last(admin.token, '/new.txt', 'create')).rights).toMatchObject({ path: '/', lacks: 'write' })
    const own = await last(admin.token, '/own', 'list')
    expect(own.rights).toMatchObject({ owner: runsAs, line: `chmod -R u+rX ${join(root, 'ann/own')}` })
  })

  test('explains with a command that fixes it', async () => {
    const { rights } = await last(admin.token, '/own', 'list')
    expect(spawnSync('sh', ['-c', rights.line]).status).toBe(0)
    expect(await why(ann.token, '/own', 'list')).toMatchObject({ allowed: true })
  })

  test('DIR-07 packs what it may read, and lists in the archive what it may not', async () => {
    await mkdir(join(root, 'mixed/secret'), { recursive: true })
    await writeFile(join(root, 'mixed/open.txt'), 'open')
    await writeFile(join(root, 'mixed/closed.txt'), 'closed')
    await chmod(join(root, 'mixed/secret'), 0o700)
    await chmod(join(root, 'mixed/closed.txt'), 0o600)
    const content = await unpack((await owner.raw('/mixed')).bytes, '.zip')
    expect(content['open.txt']).toBe('open')
    expect(Object.values(content)).not.toContain('closed')
    for (const name of ['/mixed/secret', '/mixed/closed.txt']) expect(content['_errors.txt']).toContain(name)
  })
})
