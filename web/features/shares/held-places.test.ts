import { expect, test } from 'vitest'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import type { TokenUser } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import { NO_PERMISSIONS, type Permissions } from '../../../shared/permissions.ts'
import type { Route } from '../../lib/router.tsx'
import { rightsIn } from './held-places.ts'

const EDIT = ['download', 'create', 'rename', 'modify', 'delete'] as const
const mounts = [
  { path: '/Media', root: 'media', rights: ['download' as const], trash: false },
  { path: '/Team', root: 'media', rights: [...EDIT], trash: false },
]
const items = [{ path: '/Shared with me/trip', rights: ['download' as const, 'create' as const] }]
const held = { folder: '/Shared with me' as FilePath, items, mounts }
const at = (path: string): Route => ({ name: 'files', path: path as FilePath, folderHint: true })
const item = (path: string) => ({ path }) as ResourceItem

function ann(...names: (keyof Permissions)[]) {
  const perm = { ...NO_PERMISSIONS, ...Object.fromEntries(names.map(name => [name, true])) }
  const user = { perm } as TokenUser
  const there = rightsIn(held, () => perm.create)
  const rights = (path: string, selected: readonly string[] = []) =>
    Object.entries(there.userAt(user, at(path), selected.map(item)).perm).flatMap(([name, has]) => (has ? name : []))
  return { ...there, user, rights }
}

test('ROOT-01 the rights of a mount hold in it, whatever the user may do at home', () => {
  const { rights, mayCreateAt } = ann(...EDIT, 'share', 'execute')
  expect(rights('/docs').sort()).toEqual([...EDIT, 'share', 'execute'].sort())
  expect(rights('/Media/sub')).toEqual(['create', 'download'])
  expect([mayCreateAt(at('/Media')), mayCreateAt(at('/Team/sub')), mayCreateAt(at('/Mediathek'))]).toEqual([
    false,
    true,
    true,
  ])
  const reader = ann('download')
  expect(reader.rights('/Team').sort()).toEqual([...EDIT].sort())
  expect(reader.rights('/docs')).toEqual(['download'])
  expect([reader.mayCreateAt(at('/Team')), reader.mayCreateAt(at('/docs'))]).toEqual([true, false])
})

test('a mount itself is neither renamed nor deleted, and a selection has the rights of all its items', () => {
  const { rights } = ann(...EDIT, 'share')
  expect(rights('/', ['/Team/'])).toEqual(['create', 'modify', 'download'])
  expect(rights('/', ['/docs/']).sort()).toEqual([...EDIT, 'share'].sort())
  expect(rights('/', ['/docs/', '/Media/'])).toEqual(['create', 'download'])
  expect(rights('/Team', ['/Team/sub/']).sort()).toEqual([...EDIT].sort())
  expect(rights('/', ['/Shared with me/'])).toEqual(['create', 'download'])
})

test('ROOT-12 what is in a mount is shared by its right to share alone, and the mount itself is not', () => {
  const given = [{ path: '/Team', root: 'media', rights: ['download' as const, 'share' as const], trash: false }]
  const perm = { ...NO_PERMISSIONS, download: true }
  const { userAt, isInMount, sharesLinks } = rightsIn({ folder: undefined, items: [], mounts: given }, () => false)
  const shares = (path: string, ...items: string[]) =>
    userAt({ perm } as TokenUser, at(path), items.map(item)).perm.share
  expect([shares('/Team/docs'), shares('/Team', '/Team/a.txt'), shares('/'), shares('/Team')]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect([shares('/', '/Team/'), shares('/', '/Team/docs', '/own')]).toEqual([false, false])
  expect([sharesLinks, isInMount('/Team/docs' as FilePath), isInMount('/own' as FilePath)]).toEqual([true, true, false])
})

test('what others share keeps its rights, and its folder takes nothing', () => {
  const { rights, mayCreateAt } = ann(...EDIT)
  expect(rights('/Shared with me')).toEqual(['create', 'download'])
  expect(rights('/Shared with me/trip')).toEqual(['create', 'download'])
  expect(mayCreateAt(at('/Shared with me'))).toBe(false)
  expect(mayCreateAt(at('/Shared with me/trip/sub'))).toBe(true)
})

test('what others share can have another name, one thing at a time, and stays where it is', () => {
  const { rights, stay } = ann()
  expect(rights('/Shared with me', ['/Shared with me/trip/'])).toEqual(['create', 'rename', 'download'])
  expect(rights('/Shared with me', ['/Shared with me/trip/', '/Shared with me/trip/'])).not.toContain('rename')
  expect(rights('/Shared with me/trip')).not.toContain('rename')
  expect(rights('/Shared with me', ['/Shared with me/trip/sub/'])).not.toContain('rename')
  expect([stay([item('/docs/')]), stay([item('/docs/'), item('/Shared with me/trip/')])]).toEqual([false, true])
  expect([stay([item('/Shared with me/trip/sub')]), stay([item('/Media/')])]).toEqual([false, true])
})

test('what is deleted in a mount without a trash does not go there', () => {
  const { hasTrash } = ann(...EDIT)
  expect([hasTrash([item('/docs/')]), hasTrash([item('/docs/'), item('/Team/x')])]).toEqual([true, false])
})
