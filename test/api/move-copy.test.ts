import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manager, newcomer, perm } from './accounts.ts'
import { type Answer, call, encode, person } from './client.ts'
import { HOSTILE_NAMES } from './hostile-names.ts'
import { corner, openInstance, outsideFolder } from './instance.ts'
import { whole } from './people.ts'
import { snapshot } from './snapshot.ts'

const wire = await openInstance()
const admin = await manager(wire)
const own = await person(wire)

/** A PATCH whose destination is encoded twice, as clients send it. */
const patch = (action: string, from: string, to: string, query = '', token: string | undefined = own.token) =>
  call(wire, `/api/resources${encode(from)}?action=${action}&destination=${encodeURIComponent(encode(to))}${query}`, {
    method: 'PATCH',
    ...(token === '' ? {} : { token }),
  })
const spelt = (from: string, query: string) =>
  call(wire, `/api/resources${encode(from)}?${query}`, { method: 'PATCH', token: own.token })
const sent = ({ status, text }: Answer) => [status, text]

/** A folder with `a.txt` and a tree `box`. */
async function fixture() {
  const place = await corner(wire)
  await mkdir(join(place.disk, 'box/deep/empty'), { recursive: true })
  await writeFile(join(place.disk, 'a.txt'), 'alpha')
  await writeFile(join(place.disk, 'box/deep/b.txt'), 'beta')
  return { ...place, at: (name: string) => join(place.disk, name) }
}

/** A user whose home is a given folder. */
async function addUser(rights: readonly Parameters<typeof perm>[number][], fields: Record<string, unknown> = {}) {
  const place = await fixture()
  const { token } = await newcomer(wire, admin, { scope: place.path, perm: perm(...rights), ...fields })
  return { ...place, token }
}

const ALL = ['create', 'rename', 'modify', 'delete', 'share', 'download'] as const

describe.each(['copy', 'rename'])('to %s', action => {
  const isCopy = action === 'copy'

  test('a file keeps its bytes and its mode at the destination', async () => {
    const { path, at } = await fixture()
    await chmod(at('a.txt'), 0o604)
    expect(sent(await patch(action, `${path}/a.txt`, `${path}/box/new.txt`))).toEqual([200, '200 OK\n'])
    expect(await readFile(at('box/new.txt'), 'utf8')).toBe('alpha')
    expect((await stat(at('box/new.txt'))).mode & 0o777).toBe(0o604)
    expect(await readdir(at('.'))).toEqual(isCopy ? ['a.txt', 'box'] : ['box'])
  })

  test('a folder includes everything in it, with or without a trailing slash', async () => {
    for (const slash of ['', '/']) {
      const { path, disk, at } = await fixture()
      await chmod(at('box'), 0o775)
      await chmod(at('box/deep'), 0o700)
      const before = await snapshot(at('box'))
      expect((await patch(action, `${path}/box${slash}`, `${path}/crate`)).status).toBe(200)
      expect(await snapshot(at('crate'))).toEqual(before)
      expect((await stat(at('crate'))).mode & 0o777).toBe(0o775)
      expect(await readdir(disk)).toEqual(isCopy ? ['a.txt', 'box', 'crate'] : ['a.txt', 'crate'])
    }
  })

  test('onto a taken name is a conflict, and both stay', async () => {
    const { path, disk, at } = await fixture()
    await writeFile(at('taken.txt'), 'mine')
    const before = await snapshot(disk)
    for (const query of ['', '&override=false', '&override=1', '&override=TRUE', '&rename=yes']) {
      expect(sent(await patch(action, `${path}/a.txt`, `${path}/taken.txt`, query))).toEqual([409, '409 Conflict\n'])
    }
    expect(await snapshot(disk)).toEqual(before)
  })

  test('with override replaces the existing entry', async () => {
    const { path, at } = await fixture()
    await writeFile(at('taken.txt'), 'mine')
    expect((await patch(action, `${path}/a.txt`, `${path}/taken.txt`, '&override=true')).status).toBe(200)
    expect(await readFile(at('taken.txt'), 'utf8')).toBe('alpha')
  })

  test('with rename chooses a free name next to the existing file, even with override', async () => {
    const { path, at, disk } = await fixture()
    await mkdir(at('a.d'))
    for (const name of ['t.tar.gz', 't.tar(1).gz', '.rc']) await writeFile(at(name), 'mine')
    await patch(action, `${path}/a.txt`, `${path}/t.tar.gz`, '&rename=true&override=true')
    expect(await readFile(at('t.tar(2).gz'), 'utf8')).toBe('alpha')
    expect(await readFile(at('t.tar.gz'), 'utf8')).toBe('mine')
    await patch(action, `${path}/box`, `${path}/a.d`, '&rename=true')
    expect(await readdir(at('a(1).d'))).toEqual(['deep'])
    await patch('copy', `${path}/.rc`, `${path}/.rc`, '&rename=true')
    expect(await readdir(disk)).toContain('(1).rc')
  })

  test('with rename onto a free name keeps that name', async () => {
    const { path, at } = await fixture()
    expect((await patch(action, `${path}/a.txt`, `${path}/free.txt`, '&rename=true')).status).toBe(200)
    expect(await readFile(at('free.txt'), 'utf8')).toBe('alpha')
  })

  test('PATH-09 a folder into itself is refused with the reason', async () => {
    const { path, disk } = await fixture()
    const before = await snapshot(disk)
    for (const to of ['box/inner', 'box/deep/b.txt/x']) {
      const answer = await patch(action, `${path}/box`, `${path}/${to}`, '&override=true')
      expect(sent(answer)).toEqual([400, '400 Bad Request (source is parent)\n'])
    }
    expect(await snapshot(disk)).toEqual(before)
  })

  test('PATH-09 onto itself is a conflict, even with override', async () => {
    const { path, disk } = await fixture()
    const before = await snapshot(disk)
    for (const query of ['', '&override=true']) {
      expect((await patch(action, `${path}/a.txt`, `${path}/a.txt`, query)).status).toBe(409)
    }
    expect(await snapshot(disk)).toEqual(before)
  })

  test('PATH-08 the root can be neither source nor destination', async () => {
    const { path, disk } = await fixture()
    const before = await snapshot(disk)
    expect((await patch(action, '/', `${path}/x`)).status).toBe(403)
    expect((await patch(action, `${path}/a.txt`, '/', '&override=true')).status).toBe(403)
    expect(await snapshot(disk)).toEqual(before)
  })

  test('a missing source is not found', async () => {
    const { path, disk } = await fixture()
    expect(sent(await patch(action, `${path}/gone`, `${path}/x`))).toEqual([404, '404 Not Found\n'])
    expect(await readdir(disk)).toEqual(['a.txt', 'box'])
  })

  test('a file does not replace a folder, nor a folder a file', async () => {
    const { path, disk } = await fixture()
    const before = await snapshot(disk)
    expect((await patch(action, `${path}/a.txt`, `${path}/box`, '&override=true')).status).toBe(409)
    expect((await patch(action, `${path}/box`, `${path}/a.txt`, '&override=true')).status).toBe(409)
    expect(await snapshot(disk)).toEqual(before)
  })

  test('every odd name arrives unchanged', async () => {
    const { path, at } = await fixture()
    await mkdir(at('odd'))
    for (const name of HOSTILE_NAMES) {
      await patch('copy', `${path}/a.txt`, `${path}/${name}`)
      await patch(action, `${path}/${name}`, `${path}/odd/${name}`)
    }
    expect((await readdir(at('odd'))).sort()).toEqual([...HOSTILE_NAMES].sort())
  })

  test('without a session is refused', async () => {
    const { path, disk } = await fixture()
    expect((await patch(action, `${path}/a.txt`, `${path}/b.txt`, '', '')).status).toBe(401)
    expect(await readdir(disk)).toEqual(['a.txt', 'box'])
  })

  test('MOVE-10 needs its permission, and the modify permission for replacing', async () => {
    const needed = isCopy ? 'create' : 'rename'
    for (const missing of [needed, 'modify'] as const) {
      const { token, disk, at } = await addUser(ALL.filter(right => right !== missing))
      await writeFile(at('taken.txt'), 'mine')
      const before = await snapshot(disk)
      expect(sent(await patch(action, '/a.txt', '/taken.txt', '&override=true', token))).toEqual([
        403,
        '403 Forbidden\n',
      ])
      if (missing === needed) expect((await patch(action, '/a.txt', '/new.txt', '', token)).status).toBe(403)
      expect(await snapshot(disk)).toEqual(before)
    }
  })

  test('checks the rules for both paths and for everything in a folder', async () => {
    const rules = [whole({ path: '/box/deep' }), whole({ path: '/closed' })]
    const { token, disk } = await addUser(ALL, { rules })
    await mkdir(join(disk, 'closed'))
    const before = await snapshot(disk)
    for (const [from, to] of [
      ['/box/deep/b.txt', '/out.txt'],
      ['/a.txt', '/closed/a.txt'],
      ['/box', '/crate'],
      ['/box/deep/gone', '/x'],
    ] as const) {
      expect((await patch(action, from, to, '', token)).status, `${from} → ${to}`).toBe(403)
    }
    expect(await snapshot(disk)).toEqual(before)
  })

  test('stays in the scope, and follows no link out of it', async () => {
    const outside = await outsideFolder()
    await writeFile(join(outside, 'marker.txt'), 'OUTSIDE')
    const { token, disk } = await addUser(ALL)
    await symlink(join(outside, 'marker.txt'), join(disk, 'link.txt'))
    await symlink(outside, join(disk, 'door'))
    const attempts = [
      patch(action, '/a.txt', '/../escaped.txt', '', token),
      patch(action, '/a.txt', '/door/escaped.txt', '', token),
      patch(action, '/door/marker.txt', '/stolen.txt', '', token),
    ]
    for (const answer of await Promise.all(attempts)) expect([400, 403, 404]).toContain(answer.status)
    expect(await readdir(outside)).toEqual(['marker.txt'])
    expect(await readdir(disk)).not.toContain('stolen.txt')
    if (isCopy) expect((await patch('copy', '/link.txt', '/copied.txt', '', token)).status).toBe(403)
  })
})

describe('the destination', () => {
  test('PATH-07 is decoded twice, the second time with + as a space', async () => {
    const { path, at } = await fixture()
    const base = encodeURIComponent(path)
    await spelt(`${path}/a.txt`, `action=copy&destination=${base}%2Fa%252Bb`)
    await spelt(`${path}/a.txt`, `action=copy&destination=${base}%2Fa%2Bb`)
    await spelt(`${path}/a.txt`, `action=copy&destination=${base}%2Fc%2526d`)
    expect((await readdir(at('.'))).sort()).toEqual(['a b', 'a+b', 'a.txt', 'box', 'c&d'])
  })

  test.each([
    ['missing', 'action=copy'],
    ['empty', 'action=copy&destination='],
    ['escaped badly on the second pass', 'action=copy&destination=%2F%25zz'],
    ['climbing', 'action=copy&destination=%2Fa%2F..%2Fb'],
    ['holding a NUL', 'action=copy&destination=%2Fa%2500'],
  ])('that is %s is a bad request', async (_what, query) => {
    const { path, disk } = await fixture()
    expect((await spelt(`${path}/a.txt`, query)).status).toBe(400)
    expect(await readdir(disk)).toEqual(['a.txt', 'box'])
  })

  test('creates no missing parent folders', async () => {
    const { path, disk } = await fixture()
    const answer = await patch('copy', `${path}/a.txt`, `${path}/none/a.txt`)
    expect([200, 404]).toContain(answer.status)
    expect(await readdir(disk)).toEqual(answer.status === 200 ? ['a.txt', 'box', 'none'] : ['a.txt', 'box'])
  })
})

test.each(['', 'move', 'Copy', 'delete'])('the action %j is refused', async action => {
  const { path, disk } = await fixture()
  const answer = await patch(action, `${path}/a.txt`, `${path}/b.txt`)
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('invalid request params')
  expect(await readdir(disk)).toEqual(['a.txt', 'box'])
})

test('a folder copied onto a folder merges into it', async () => {
  const { path, at } = await fixture()
  await mkdir(at('crate/deep'), { recursive: true })
  await writeFile(at('crate/deep/b.txt'), 'old')
  await writeFile(at('crate/kept.txt'), 'kept')
  expect((await patch('copy', `${path}/box`, `${path}/crate`, '&override=true')).status).toBe(200)
  expect(await readFile(at('crate/deep/b.txt'), 'utf8')).toBe('beta')
  expect(await readFile(at('crate/kept.txt'), 'utf8')).toBe('kept')
  expect(await readdir(at('crate/deep'))).toEqual(['b.txt', 'empty'])
})

test('LINK-07 a link that is renamed stays the link it was', async () => {
  const { path, at, disk } = await fixture()
  await symlink('a.txt', at('link'))
  expect((await patch('rename', `${path}/link`, `${path}/renamed`)).status).toBe(200)
  expect((await snapshot(disk)).renamed).toMatch(/^link to a\.txt/)
  expect(await readFile(at('a.txt'), 'utf8')).toBe('alpha')
})
