import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import { NO_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import type { Db } from '../db/schema.ts'
import type { Files } from '../files/files.ts'
import { createFiles } from '../files/files-service.ts'
import { openPlace } from './test-place.ts'
import { trashRecords } from './trash.ts'

let root: string
let db: Db
let files: Files

beforeEach(async () => {
  const place = await openPlace()
  ;({ root, db } = place)
  await mkdir(join(root, 'docs'))
  const perm = {
    ...NO_PERMISSIONS,
    admin: true,
    create: true,
    delete: true,
    download: true,
    modify: true,
    rename: true,
  }
  const service = createFiles({
    storage: place.storage,
    cluster: openLocalCluster(),
    globalRules: async () => [],
    trash: trashRecords(db),
  })
  files = await service.for({ id: 1, username: 'anna', scope: '', perm, rules: [], hideDotfiles: false })
})

/** Deletes a file while the area can only be made in its folder, as where the served root is read-only at that time. */
async function deletedIntoItsFolder(name: string): Promise<string> {
  await writeFile(join(root, 'docs', name), name)
  const kept = await files.remove(parsePath(`/docs/${name}`))
  const area = (await readdir(root)).find(found => found.startsWith('.filigree-')) ?? ''
  await rename(join(root, area), join(root, 'docs', area))
  await db.updateTable('areas').set({ place: '/docs' }).execute()
  return kept ?? ''
}

const contentAt = (path: string) => readFile(join(root, path), 'utf8')

test('TRASH-10 what the area inside a deleted folder holds moves to the area above, and can still be restored', async () => {
  const id = await deletedIntoItsFolder('a.txt')
  const docs = await files.remove(parsePath('/docs'))
  expect(await files.trash.restore(id, {})).toBe('/docs/a.txt')
  expect(await contentAt('docs/a.txt')).toBe('a.txt')
  await files.trash.purge(docs ?? '')
})

test('TRASH-10 a permanent deletion of a folder ends nothing that the area inside it holds', async () => {
  const id = await deletedIntoItsFolder('a.txt')
  await files.remove(parsePath('/docs'), { permanent: true })
  await files.trash.restore(id, { to: parsePath('/a.txt') })
  expect(await contentAt('a.txt')).toBe('a.txt')
})

test('TRASH-10 a permanent deletion stops at kept items that no record names', async () => {
  await deletedIntoItsFolder('a.txt')
  await db.deleteFrom('kept').execute()
  const [area = ''] = (await readdir(join(root, 'docs'))).filter(name => name.startsWith('.filigree-'))
  const removal = files.remove(parsePath('/docs'), { permanent: true })
  await expect(removal).rejects.toMatchObject({ code: 'unavailable' })
  expect(await readdir(join(root, 'docs', area, 'trash/files'))).toHaveLength(1)
})
