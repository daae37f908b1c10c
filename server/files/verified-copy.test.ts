import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openLocal } from '../storage/local.ts'
import { createFiles } from './files-service.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'verified-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** A store that cannot rename, and returns other bytes of what is named so. */
function faulty({ move: _, ...store }: StorageDriver, name: string): StorageDriver {
  return {
    ...store,
    within: async (...where) => faulty(await store.within(...where), name),
    async read(path) {
      const file = await store.read(path)
      if (!path.includes(name)) return file
      return { ...file, stream: () => Readable.from([Buffer.alloc(file.entry.size, 'x')], { objectMode: false }) }
    },
  }
}

async function filesOf(name: string) {
  const local = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  const storage = faulty(local, name)
  const files = createFiles({ storage, cluster: openLocalCluster(), globalRules: async () => [] })
  return files.for({ scope: '/', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false })
}

const how = { override: false, rename: false, verify: true }

test('a copy that differs from its source is removed', async () => {
  await writeFile(join(root, 'a.txt'), 'a content')
  const own = await filesOf('copy')
  const copied = own.transfers.copy(parsePath('/a.txt'), parsePath('/copy.txt'), how)
  await expect(copied).rejects.toMatchObject({ code: 'checksum_mismatch' })
  await expect(stat(join(root, 'copy.txt'))).rejects.toThrow('ENOENT')
})

test('a moved file stays at its old path when its copy differs', async () => {
  await writeFile(join(root, 'a.txt'), 'a content')
  const own = await filesOf('copy')
  const moved = own.transfers.move(parsePath('/a.txt'), parsePath('/copy.txt'), how)
  await expect(moved).rejects.toMatchObject({ code: 'checksum_mismatch' })
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a content')
})
