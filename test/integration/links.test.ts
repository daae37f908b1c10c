import { mkdir, readlink, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { snapshot } from '../api/snapshot.ts'
import { DENIED_MARKER, expectNoLeak, plant } from '../api/tree.ts'
import { EVERYTHING, PASSWORD, populate } from './people.ts'

const server = await serve({
  async prepare({ home, root, database }) {
    await plant(home, root)
    const rules = [{ allow: false, path: '/deny' }]
    await populate(database, { people: [{ name: 'alice', may: EVERYTHING, rules }] })
  },
})
const alice = await person(server, 'alice', PASSWORD)
const admin = await person(server)
const outside = join(server.home, 'outside')

async function expectSame(act: () => Promise<void>) {
  const before = [await snapshot(server.root), await snapshot(outside)]
  await act()
  expect([await snapshot(server.root), await snapshot(outside)]).toEqual(before)
}

const attempts = (path: string) => [
  () => admin.get(path),
  () => admin.raw(path),
  () => admin.raw(path, '?inline=true'),
  () => admin.usage(path),
  () => admin.put(path, 'written'),
  () => admin.put(path, 'written', '?override=true'),
  () => admin.put(`${path}/`),
]

test.each([
  ['a link to a file outside', '/outfile'],
  ['a link to a folder outside', '/out'],
  ['a file behind a link to a folder outside', '/out/marker.txt'],
  ['a new file behind a link to a folder outside', '/out/new.txt'],
  ['a new folder behind a link to a folder outside', '/out/new/deep'],
  ['a link to something outside that does not exist', '/dangling'],
])('LINK-01 LINK-02 %s gives no access', async (_what, path) => {
  await expectSame(async () => {
    for (const attempt of attempts(path)) {
      const answer = await attempt()
      expect([403, 404, 409]).toContain(answer.status)
      expectNoLeak(answer, server.home)
    }
  })
})

test('the existence of a file behind a link out is not disclosed', async () => {
  const [there, missing] = [await admin.get('/out/marker.txt'), await admin.get('/out/never-made.txt')]
  expect([missing.status, missing.text]).toEqual([there.status, there.text])
})

test('LINK-06 a link that leads to itself is refused', async () => {
  await expectSame(async () => {
    for (const path of ['/loop', '/loop/x']) {
      for (const attempt of attempts(path)) expect([403, 404, 409]).toContain((await attempt()).status)
    }
  })
})

test('dangling links are listed as such and disclose nothing of the host', async () => {
  const answer = await admin.get('/')
  expect(answer.status).toBe(200)
  const items: { name: string; type: string; isDir: boolean }[] = json(answer).items
  for (const name of ['out', 'outfile', 'dangling', 'loop']) {
    expect(items.find(item => item.name === name)).toMatchObject({ type: 'invalid_link', isDir: false })
  }
  expectNoLeak(answer, server.home)
})

test('a link that stays inside is followed', async () => {
  expect((await admin.raw('/free/one-link.txt')).text).toBe('one')
  expect(json(await admin.get('/docs-link')).items.map((item: { name: string }) => item.name)).toContain('one.txt')
  expect((await admin.raw('/docs-link/one.txt')).text).toBe('one')
})

test('LINK-05 a link does not bypass a rule on its target', async () => {
  await expectSame(async () => {
    for (const path of ['/inlink', '/indir', '/indir/secret.txt', '/indir/new.txt']) {
      for (const answer of [
        await alice.get(path),
        await alice.raw(path),
        await alice.usage(path),
        await alice.put(path, 'x', '?override=true'),
        await alice.put(`${path}/`),
      ]) {
        expect([403, 404]).toContain(answer.status)
        expectNoLeak(answer, DENIED_MARKER, server.home)
      }
    }
  })
})

test('a link to a denied path is not listed', async () => {
  const names = json(await alice.get('/')).items.map((item: { name: string }) => item.name)
  expect(names).not.toContain('inlink')
  expect(names).not.toContain('indir')
  expect(names).not.toContain('deny')
})

test('deleting through a link out is refused', async () => {
  await expectSame(async () => {
    expect([403, 404]).toContain((await admin.remove('/out/marker.txt')).status)
    expect([403, 404]).toContain((await alice.remove('/indir/secret.txt')).status)
  })
})

test('a link out can be deleted as an entry of its own', async () => {
  const before = await snapshot(outside)
  for (const name of ['gone', 'gone-file', 'gone-nowhere', 'gone-loop']) {
    const target = { gone: outside, 'gone-file': join(outside, 'marker.txt'), 'gone-loop': name }[name] ?? '/nowhere'
    await symlink(target, join(server.root, name))
    expect((await admin.remove(`/${name}`)).status).toBe(204)
    await expect(readlink(join(server.root, name))).rejects.toThrow('ENOENT')
  }
  expect(await snapshot(outside)).toEqual(before)
})

test('replacing through a link inside replaces its target and keeps the link', async () => {
  await writeFile(join(server.root, 'real.txt'), 'old')
  await symlink('real.txt', join(server.root, 'alias.txt'))
  expect((await admin.put('/alias.txt', 'new', '?override=true')).status).toBe(200)
  expect(await readlink(join(server.root, 'alias.txt'))).toBe('real.txt')
  expect((await admin.raw('/real.txt')).text).toBe('new')
  await rm(join(server.root, 'alias.txt'))
})

test('LINK-03 a folder that is repeatedly exchanged for a link out never gives access to the outside', async () => {
  const [folder, aside] = [join(server.root, 'swap'), join(server.root, 'swap-aside')]
  const before = await snapshot(outside)
  let running = true
  // The server may create the folder again at any moment, so any step may find it in the way.
  const steps = [
    () => mkdir(folder),
    () => writeFile(join(folder, 'marker.txt'), 'inside'),
    () => rename(folder, aside),
    () => symlink(outside, folder),
    () => unlink(folder),
    () => rename(aside, folder),
    () => rm(aside, { recursive: true }),
  ]
  const exchanging = (async () => {
    while (running) for (const step of steps) await step().catch(() => {})
  })()
  try {
    for (let round = 0; round < 300; round += 1) {
      // A file that is truncated while it is read ends the response early.
      const content = await admin.raw('/swap/marker.txt').catch(() => undefined)
      if (content) expectNoLeak(content, server.home)
      expectNoLeak(await admin.put('/swap/marker.txt', 'planted', '?override=true'), server.home)
      expectNoLeak(await admin.remove('/swap/marker.txt'), server.home)
    }
  } finally {
    running = false
    await exchanging
  }
  expect(await snapshot(outside)).toEqual(before)
})
