import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../../../shared/path.ts'
import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { insertGroup } from '../groups/groups.store.ts'
import { setMember } from '../groups/members.store.ts'
import { insertMount } from '../groups/mounts.store.ts'
import { addUser, BLANK_USER } from '../users/users.store.ts'
import { addMount, changeMount, giveMountTo, removeMount, takeMountFrom } from './mounts.ts'

async function withDb(act: (db: Db) => Promise<void>): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'mounts-'))
  const { db } = await openDb(join(home, 'f.db'))
  try {
    await act(db)
  } finally {
    await db.destroy()
    await rm(home, { recursive: true, force: true })
  }
}

test('a mount is one of at most so many', () =>
  withDb(async db => {
    const about = { root: 'media', folder: ROOT, readOnly: false, createdAt: 0 }
    for (let number = 0; number < LIMITS.mounts; number++) {
      await insertMount(db, { ...about, id: `m${number}`, name: `m${number}` })
    }
    const more = addMount({ db, roots: undefined }, { name: 'more', root: 'media' })
    await expect(more).rejects.toMatchObject({ code: 'exists' })
  }))

test('the folder of a mount is announced as it comes and goes', () =>
  withDb(async db => {
    const { id: user } = await addUser(db, { ...BLANK_USER, username: 'ann', scope: '/ann', passwordHash: '' })
    const cluster = openLocalCluster()
    const seen: string[] = []
    cluster.subscribe('files.changed', ({ folder, path, change }) => seen.push(`${change} ${path} in ${folder}`))
    const deps = { db, cluster, roots: undefined }
    const told = async (act: Promise<unknown>) => {
      await act
      return seen.splice(0)
    }
    const group = await insertGroup(db, { name: 'crew', description: '', perm: NO_PERMISSIONS, rules: [] })
    await setMember(db, group.id, { userId: user, source: '', expiresAt: null })
    const mount = { id: 'm', name: 'Team', root: 'media', folder: ROOT, readOnly: false, createdAt: 0 }
    await insertMount(db, mount)
    const [ann, crew] = [{ kind: 'user', id: user } as const, { kind: 'group', id: group.id } as const]
    expect(await told(giveMountTo(deps, 'm', ann, { rights: ['download'] }))).toEqual(['created /ann/Team in /ann'])
    await giveMountTo(deps, 'm', crew, { rights: ['download'] })
    seen.length = 0
    expect(await told(takeMountFrom(deps, 'm', ann))).toEqual(['replaced /ann/Team in /ann'])
    expect(await told(takeMountFrom(deps, 'm', crew))).toEqual(['removed /ann/Team in /ann'])
    await giveMountTo(deps, 'm', ann, { rights: ['download'] })
    seen.length = 0
    expect(await told(changeMount(deps, 'm', { name: 'Crew', readOnly: false }))).toEqual([
      'removed /ann/Team in /ann',
      'created /ann/Crew in /ann',
    ])
    expect(await told(changeMount(deps, 'm', { name: 'Crew', readOnly: true }))).toEqual(['replaced /ann/Crew in /ann'])
    expect(await told(removeMount(deps, 'm'))).toEqual(['removed /ann/Crew in /ann'])
  }))
