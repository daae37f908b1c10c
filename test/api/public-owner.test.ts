import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manager, perm } from './accounts.ts'
import { type Answer, call, json, person } from './client.ts'
import { openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { linkTo, load, viewShare } from './links-client.ts'
import { newSharer, SHARER_RIGHTS as RIGHTS } from './sharers.ts'
import { expectNoLeak } from './tree.ts'

const server = await openInstance()
const admin = await manager(server)
const sharer = (fields?: Record<string, unknown>) => newSharer(server, admin, fields)
const moved = ({ token }: { token: string }, from: string, to: string) =>
  call(server, `/api/resources${from}?action=rename&destination=${encodeURIComponent(to)}`, { method: 'PATCH', token })
const names = (answer: Answer): string[] => json(answer).items.map((item: { name: string }) => item.name)
const statuses = async (...answers: Promise<Answer>[]) => (await Promise.all(answers)).map(answer => answer.status)

describe('the owner', () => {
  test('SHR-02 must still have the share and download permissions', async () => {
    for (const lost of ['share', 'download'] as const) {
      const bob = await sharer()
      const links = [await linkTo(server, bob.token, '/docs'), await linkTo(server, bob.token, '/a.txt')]
      // Share without download cannot be granted.
      const without = lost === 'download' ? ['share', 'download'] : ['share']
      const fewer = RIGHTS.filter(right => !without.includes(right))
      expect((await admin.update(bob.id, ['perm'], { perm: perm(...fewer) })).status).toBe(200)
      for (const { hash } of links) {
        expect(await statuses(viewShare(server, hash), load(server, hash))).toEqual([403, 403])
      }
      expect((await admin.update(bob.id, ['perm'], { perm: perm(...RIGHTS) })).status).toBe(200)
      for (const { hash } of links) expect((await viewShare(server, hash)).status).toBe(200)
    }
  })

  test('SHR-04 loses the links when the account is deleted', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/docs')
    expect((await admin.remove(bob.id)).status).toBe(200)
    expect(await statuses(viewShare(server, hash), load(server, hash, '/one.txt'))).toEqual([404, 404])
    expect(json(await call(server, '/api/shares', { token: admin.token }))).not.toContainEqual(
      expect.objectContaining({ hash }),
    )
  })

  test('SHR-02 with another scope no longer shares its items', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/a.txt')
    const other = await sharer()
    await admin.update(bob.id, ['scope'], { scope: other.scope })
    expect(await statuses(viewShare(server, hash), load(server, hash))).toEqual([404, 404])
  })
})

describe('the rules of the owner', () => {
  const denials = [
    { allow: false, regex: false, path: '/docs/deny', regexp: null },
    { allow: false, regex: true, path: '', regexp: { raw: '^/docs/deny(/|$)' } },
  ]
  test.each(denials)('SHR-03 apply below a link: %j', async rule => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/docs/')
    expect(names(await viewShare(server, hash))).toContain('deny')
    expect((await admin.update(bob.id, ['rules'], { rules: [rule] })).status).toBe(200)
    expect(names(await viewShare(server, hash))).toEqual(['sub', '.dot', 'one.txt'])
    for (const sub of ['/deny', '/deny/d.txt', '/deny/none']) {
      expect(await statuses(viewShare(server, hash, sub), load(server, hash, sub))).toEqual([403, 403])
    }
    expectNoLeak(await load(server, hash, '', '?algo=tar'))
    expect((await load(server, hash, '/one.txt')).status).toBe(200)
  })

  test('disable a link to a path they deny', async () => {
    const bob = await sharer()
    const links = [await linkTo(server, bob.token, '/docs/'), await linkTo(server, bob.token, '/docs/one.txt')]
    await admin.update(bob.id, ['rules'], { rules: [{ ...denials[0], path: '/docs' }] })
    for (const { hash } of links)
      expect(await statuses(viewShare(server, hash), load(server, hash))).toEqual([403, 403])
  })

  test('SHR-03 hide dot files when the owner hides them', async () => {
    const bob = await sharer({ hideDotfiles: true })
    const { hash } = await linkTo(server, bob.token, '/docs/')
    expect(names(await viewShare(server, hash))).toEqual(['deny', 'sub', 'one.txt'])
    expect(await statuses(viewShare(server, hash, '/.dot'), load(server, hash, '/.dot'))).toEqual([403, 403])
    expect((await load(server, hash, '', '?algo=tar')).bytes.includes('.dot')).toBe(false)
  })
})

describe('symbolic links', () => {
  test('that lead out of the shared folder are not followed, listed or archived', async () => {
    const bob = await sharer()
    await symlink('../marker.txt', join(bob.home, 'docs/up'))
    await symlink('..', join(bob.home, 'docs/above'))
    await symlink('/etc', join(bob.home, 'docs/etc'))
    await symlink('one.txt', join(bob.home, 'docs/inside'))
    await rm(join(bob.home, 'docs/deny'), { recursive: true })
    const { hash } = await linkTo(server, bob.token, '/docs/')
    expect(names(await viewShare(server, hash))).toEqual(['sub', '.dot', 'inside', 'one.txt'])
    for (const sub of ['/up', '/above', '/above/marker.txt', '/etc/passwd']) {
      expect(await statuses(viewShare(server, hash, sub), load(server, hash, sub))).toEqual([403, 403])
    }
    expectNoLeak(await load(server, hash, '', '?algo=tar'))
    expect((await load(server, hash, '/inside')).text).toBe('docs/one.txt')
  })
})

describe('the object that was shared', () => {
  const gone = (hash: string) => statuses(viewShare(server, hash), load(server, hash))

  test('SHR-01 loses its link when it is removed, and a new entry gets none', async () => {
    const bob = await sharer()
    const file = await linkTo(server, bob.token, '/a.txt')
    const folder = await linkTo(server, bob.token, '/docs/')
    const inside = await linkTo(server, bob.token, '/docs/one.txt')
    const sibling = await linkTo(server, bob.token, '/docs-2/')
    await bob.files.remove('/a.txt')
    await bob.files.remove('/docs')
    await bob.files.put('/a.txt', 'newcomer')
    await bob.files.put('/docs/one.txt', 'newcomer')
    for (const { hash } of [file, folder, inside]) expect(await gone(hash)).toEqual([404, 404])
    expect((await viewShare(server, sibling.hash)).status).toBe(200)
    expect(json(await call(server, '/api/shares', { token: bob.token }))).toMatchObject([sibling])
  })

  test('PUB-10 SHR-01 takes its link along when it is renamed or moved, and a new entry gets none', async () => {
    const bob = await sharer()
    const folder = await linkTo(server, bob.token, '/docs/')
    const inside = await linkTo(server, bob.token, '/docs/one.txt')
    const moves = [
      ['/docs', '/papers'],
      ['/papers/one.txt', '/papers/sub/1.txt'],
    ] as const
    for (const [from, to] of moves) expect((await moved(bob, from, to)).status).toBe(200)
    await bob.files.put('/docs/one.txt', 'newcomer')
    expect(names(await viewShare(server, folder.hash))).toEqual(['deny', 'sub', '.dot'])
    expect((await load(server, inside.hash)).text).toBe('docs/one.txt')
    const links = json(await call(server, '/api/shares', { token: bob.token }))
    expect(links.map(({ path }: { path: string }) => path).sort()).toEqual(['/papers/', '/papers/sub/1.txt'])
  })

  test('PUB-10 takes its link back when it is moved back', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/a.txt')
    for (const [from, to] of [
      ['/a.txt', '/b.txt'],
      ['/b.txt', '/a.txt'],
    ] as const) {
      expect((await moved(bob, from, to)).status).toBe(200)
      expect((await load(server, hash)).text).toBe('a.txt')
    }
  })

  test('PUB-10 takes its link along when a job moves its folder', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/docs/one.txt')
    await jobsOf(server, bob).run({ kind: 'move', items: [{ from: '/docs', to: '/papers' }] })
    expect((await load(server, hash)).text).toBe('docs/one.txt')
  })

  test('PUB-10 loses its link when it is moved out of the files of its owner', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/docs/one.txt')
    const boss = await person(server)
    const away = `${bob.scope}-away`
    expect((await moved({ token: boss.token }, `${bob.scope}/docs`, away)).status).toBe(200)
    expect(await gone(hash)).toEqual([404, 404])
    expect((await moved({ token: boss.token }, away, `${bob.scope}/docs`)).status).toBe(200)
    expect(await gone(hash)).toEqual([404, 404])
  })

  test('PUB-10 SHR-01 opens what was shared, and nothing next to it, after folders merged', async () => {
    const bob = await sharer()
    const links = await Promise.all(['/docs/one.txt', '/docs/sub/two.txt'].map(path => linkTo(server, bob.token, path)))
    await bob.files.put('/papers/one.txt', 'of another')
    const choices = { '/papers/one.txt': 'keepBoth' as const }
    const items = [{ from: '/docs', to: '/papers' }]
    await jobsOf(server, bob).run({ kind: 'move', conflict: 'replace', choices, items })
    expect((await bob.files.raw('/papers/one(1).txt')).text).toBe('docs/one.txt')
    const [renamed, merged] = await Promise.all(links.map(({ hash }) => load(server, hash)))
    expect([renamed?.status, merged?.text]).toEqual([404, 'docs/sub/two.txt'])
  })

  test('SHR-01 loses its link when another user deletes it', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/docs/one.txt')
    const boss = await person(server)
    expect((await boss.remove(`${bob.scope}/docs`)).status).toBe(204)
    await bob.files.put('/docs/one.txt', 'newcomer')
    expect(await gone(hash)).toEqual([404, 404])
  })

  test('keeps its link when the server saves, overwrites or copies over it', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/a.txt')
    const put = await call(server, '/api/resources/a.txt', { method: 'PUT', token: bob.token, body: 'saved' })
    expect(put.status).toBe(200)
    expect((await load(server, hash)).text).toBe('saved')
    expect((await bob.files.put('/a.txt', 'overwritten', '?override=true')).status).toBe(200)
    expect((await load(server, hash)).text).toBe('overwritten')
    const copied = await call(server, '/api/resources/docs/one.txt?action=copy&destination=%2Fa.txt&override=true', {
      method: 'PATCH',
      token: bob.token,
    })
    expect(copied.status).toBe(200)
    expect((await load(server, hash)).text).toBe('docs/one.txt')
  })

  test('SHR-01 loses its link permanently when a job removes its folder', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/docs/one.txt')
    await jobsOf(server, bob).run({ kind: 'delete', items: [{ from: '/docs' }] })
    await mkdir(join(bob.home, 'docs'))
    await writeFile(join(bob.home, 'docs/one.txt'), 'newcomer')
    expect(await gone(hash)).toEqual([404, 404])
  })

  test('keeps its link when another program replaces it by a rename, or removes and creates it again', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/a.txt')
    await writeFile(join(bob.home, '.a.txt.Xy12'), 'renamed')
    await rename(join(bob.home, '.a.txt.Xy12'), join(bob.home, 'a.txt'))
    expect((await load(server, hash)).text).toBe('renamed')
    await rm(join(bob.home, 'a.txt'))
    expect(await gone(hash)).toEqual([404, 404])
    await writeFile(join(bob.home, 'a.txt'), 'made again')
    expect((await load(server, hash)).text).toBe('made again')
    const log = json(await call(server, '/api/audit?action=share.rebind', { token: admin.token }))
    expect(log.rows).toContainEqual(
      expect.objectContaining({ path: `${bob.scope}/a.txt`, target: hash, way: 'server', outcome: 'done' }),
    )
  })

  test('keeps its link when another program replaces its folder', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/docs/')
    await rename(join(bob.home, 'docs'), join(bob.home, 'old'))
    expect(await gone(hash)).toEqual([404, 404])
    await mkdir(join(bob.home, 'docs'))
    await writeFile(join(bob.home, 'docs/restored.txt'), 'restored')
    expect(names(await viewShare(server, hash))).toEqual(['restored.txt'])
  })

  test('SHR-01 is not replaced by an entry of another type that takes its name on the disk', async () => {
    const bob = await sharer()
    const file = await linkTo(server, bob.token, '/a.txt')
    const folder = await linkTo(server, bob.token, '/docs/')
    await rm(join(bob.home, 'a.txt'))
    await mkdir(join(bob.home, 'a.txt'))
    await rename(join(bob.home, 'docs'), join(bob.home, 'old'))
    await rename(join(bob.home, 'marker.txt'), join(bob.home, 'docs'))
    for (const { hash } of [file, folder]) expect(await gone(hash)).toEqual([404, 404])
    await rm(join(bob.home, 'docs'))
    await rename(join(bob.home, 'old'), join(bob.home, 'docs'))
    expect((await viewShare(server, folder.hash)).status).toBe(200)
  })

  test('SHR-01 is not replaced by a symbolic link, wherever that leads', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/a.txt')
    const inside = await linkTo(server, bob.token, '/docs/sub/two.txt')
    await rm(join(bob.home, 'a.txt'))
    await symlink('marker.txt', join(bob.home, 'a.txt'))
    expect(await gone(hash)).toEqual([404, 404])
    await rm(join(bob.home, 'a.txt'))
    await symlink('/etc/passwd', join(bob.home, 'a.txt'))
    expect(await gone(hash)).toEqual([403, 403])
    await rename(join(bob.home, 'docs/sub'), join(bob.home, 'old'))
    await mkdir(join(bob.home, 'other'))
    await writeFile(join(bob.home, 'other/two.txt'), 'of another folder')
    await symlink('../other', join(bob.home, 'docs/sub'))
    expect(await gone(inside.hash)).toEqual([404, 404])
  })

  test('may be changed in place on the disk', async () => {
    const bob = await sharer()
    const { hash } = await linkTo(server, bob.token, '/a.txt')
    await writeFile(join(bob.home, 'a.txt'), 'edited')
    expect((await load(server, hash)).text).toBe('edited')
  })
})
