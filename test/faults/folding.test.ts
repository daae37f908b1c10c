import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { policyFor } from '../../server/files/policy.ts'
import { sandboxFolderFor } from '../../server/files/sandbox-scope.ts'
import { openLocal } from '../../server/storage/local.ts'
import { ROOT } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { call, encode, json, person } from '../api/client.ts'
import { mountFoldingDisk, unmount } from '../api/disks.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { EVERYTHING, enrol, PASSWORD, whole } from '../api/people.ts'
import { snapshot } from '../api/snapshot.ts'
import { DENIED_MARKER, expectNoLeak } from '../api/tree.ts'

const home = await makeHome()
const disk = join(home, 'srv/disk')

describe.runIf(mountFoldingDisk(disk))('on a case-insensitive disk', async () => {
  const server = await serve({ home })
  afterAll(async () => {
    await server.end()
    unmount(disk)
  })
  await mkdir(join(disk, 'deny'))
  await mkdir(join(disk, 'open'))
  await writeFile(join(disk, 'deny/secret.txt'), DENIED_MARKER)
  await writeFile(join(disk, 'é.txt'), DENIED_MARKER)
  await writeFile(join(disk, 'open/a.txt'), 'a')
  /** Without the area of versions. */
  const namesIn = async (folder: string) =>
    (await readdir(join(disk, folder))).filter(name => !name.startsWith('.filigree-'))
  const denied = ['/disk/deny', '/disk/é.txt']
  await enrol(server, [
    { name: 'path', may: EVERYTHING, rules: denied.map(path => ({ path })) },
    { name: 'regex', may: EVERYTHING, rules: denied.map(path => ({ regex: true, regexp: { raw: `^${path}` } })) },
  ])

  test.each(['path', 'regex'])('RULE-05 NAME-05 a %s rule applies to every spelling of a name', async who => {
    const { token } = await person(server, who, PASSWORD)
    const ask = (method: string, address: string, body?: string) =>
      call(server, address, { method, token, ...(body === undefined ? {} : { body }) })
    const before = await snapshot(disk)
    for (const path of ['/disk/DENY', '/disk/DENY/SECRET.txt', '/disk/Deny/secret.TXT', '/disk/É.TXT']) {
      const at = encode(path)
      const to = `destination=${encodeURIComponent('/disk/open/x')}`
      const answers = [
        await ask('GET', `/api/resources${at}`),
        await ask('GET', `/api/resources${at}?checksum=md5`),
        await ask('GET', `/api/raw${at}`),
        await ask('GET', `/api/preview/big${at}`),
        await ask('POST', `/api/resources${at}?override=true`, 'mine'),
        await ask('PUT', `/api/resources${at}`, 'mine'),
        await ask('DELETE', `/api/resources${at}`),
        await ask('PATCH', `/api/resources${at}?action=copy&${to}`),
        await ask('PATCH', `/api/resources${at}?action=rename&${to}`),
        await ask(
          'PATCH',
          `/api/resources/disk/open/a.txt?action=copy&override=true&destination=${encodeURIComponent(path)}`,
        ),
        await ask('POST', `/api/share${at}`, '{}'),
      ]
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
      for (const answer of answers) expectNoLeak(answer, DENIED_MARKER)
    }
    expect(json(await ask('GET', '/api/search/?query=secret'))).toEqual([])
    expect(await snapshot(disk)).toEqual(before)
    expect((await ask('GET', '/api/raw/disk/OPEN/A.txt')).text).toBe('a')
  })

  test('RULE-05 commands are refused where a sandbox cannot hide other spellings of a denied name', async () => {
    const scope = await openLocal({ root: join(home, 'srv'), stagingKey: Buffer.from('a key for tests only') })
    const perm = { ...ALL_PERMISSIONS, admin: false }
    const enclose = async (...paths: string[]) => {
      const actor = { scope: '/', perm, rules: paths.map(path => whole({ path })), hideDotfiles: false }
      const place = await sandboxFolderFor({ policy: policyFor(actor, []), whole: async () => scope }, ROOT)
      const spec = await place.sandboxSpec()
      spec.close()
      return spec.hidden.length
    }
    await expect(enclose('/disk/deny')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await enclose('/disk/missing')).toBe(0)
    expect(await enclose('/disk')).toBe(1)
  })

  test('NAME-05 a name that is taken in another case is a conflict, and nothing is lost', async () => {
    const owner = await person(server)
    expect((await owner.put('/disk/open/A.TXT', 'new')).status).toBe(409)
    const rename = `/api/resources/disk/open/a.txt?action=rename&destination=${encodeURIComponent('/disk/open/A.txt')}`
    expect((await call(server, rename, { method: 'PATCH', token: owner.token })).status).toBe(409)
    expect(await readFile(join(disk, 'open/a.txt'), 'utf8')).toBe('a')
    expect((await owner.put('/disk/open/A.TXT', 'new', '?override=true')).status).toBe(200)
    expect(await namesIn('open')).toEqual(['a.txt'])
    expect(await readFile(join(disk, 'open/a.txt'), 'utf8')).toBe('new')
  })

  test('NAME-06 names that the disk does not support are refused with the reason, and leave nothing', async () => {
    const owner = await person(server)
    for (const name of ['a:b', 'con', 'end.']) {
      for (const path of [`/disk/open/${name}`, `/disk/open/${name}/`]) {
        const answer = await owner.put(path, 'x')
        expect([path, answer.status, answer.headers.get('x-error-code')]).toEqual([path, 400, 'bad_path'])
      }
    }
    expect(await namesIn('open')).toEqual(['a.txt'])
  })

  test('a disk on which every folder is open to all accounts keeps what is deleted and replaced', async () => {
    const owner = await person(server)
    await owner.put('/disk/open/kept.txt', 'first')
    await owner.put('/disk/open/kept.txt', 'second', '?override=true')
    const versions = await call(server, '/api/versions/disk/open/kept.txt', { token: owner.token })
    expect(json(versions).items.map(({ size }: { size: number }) => size)).toEqual([5])
    const deleted = await call(server, '/api/resources/disk/open/kept.txt', { method: 'DELETE', token: owner.token })
    expect(deleted.status).toBe(204)
    const items = [{ id: deleted.headers.get('X-Kept') }]
    const body = JSON.stringify({ items })
    const restored = await call(server, '/api/trash/restore', { method: 'POST', token: owner.token, body })
    expect(json(restored)).toMatchObject({ results: [{ state: 'done' }] })
    expect(await readFile(join(disk, 'open/kept.txt'), 'utf8')).toBe('second')
    expect((await readdir(disk)).filter(name => name.startsWith('.~fg-'))).toEqual([])
  })

  test('TRASH-09 files whose names differ by letter case are kept both, and come back side by side', async () => {
    const owner = await person(server)
    const ids: string[] = []
    for (const name of ['twin.txt', 'TWIN.TXT']) {
      await writeFile(join(disk, 'open', name), name)
      ids.push((await owner.remove(`/disk/open/${name}`)).headers.get('X-Kept') ?? '')
    }
    expect(await namesIn('open')).not.toContain('twin.txt')
    const body = JSON.stringify({ items: ids.map(id => ({ id })) })
    const restored = await call(server, '/api/trash/restore', { method: 'POST', token: owner.token, body })
    const { results } = json(restored)
    expect(results).toMatchObject([{ state: 'done' }, { state: 'done' }])
    const contents = results.map(({ to }: { to: string }) => readFile(join(home, 'srv', to), 'utf8'))
    expect(await Promise.all(contents)).toEqual(['twin.txt', 'TWIN.TXT'])
    for (const { to } of results) await owner.remove(to, '?permanent=true')
  })

  test('BREN-01 many names change their letter case, and swap with names that differ by it', async () => {
    const folder = join(disk, 'many')
    await mkdir(folder)
    for (const name of ['one.txt', 'two.txt', 'x']) await writeFile(join(folder, name), name)
    const items = [
      ['one.txt', 'ONE.TXT'],
      ['two.txt', 'X'],
      ['x', 'Two.txt'],
    ].map(([from, to]) => ({ from: `/disk/many/${from}`, to: `/disk/many/${to}` }))
    const job = await jobsOf(server, await person(server)).run({ kind: 'rename', items })
    expect(job.items?.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    // This disk lists all names in lower case.
    expect((await readdir(folder)).sort()).toEqual(['one.txt', 'two.txt', 'x'])
    const contents = await Promise.all(['ONE.TXT', 'X', 'Two.txt'].map(name => readFile(join(folder, name), 'utf8')))
    expect(contents).toEqual(['one.txt', 'two.txt', 'x'])
  })
})
