import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parsePath } from '../../shared/path.ts'
import { type SparePlace, spareConformance } from './conformance/spare.ts'
import type { StorageDriver } from './driver.ts'
import { openLocal } from './local.ts'
import { openMemory } from './memory.ts'
import { spareIn } from './spare-store.ts'

const placeIn = (store: StorageDriver, close = async () => {}): SparePlace => ({
  files: spareIn(store),
  again: async () => spareIn(store),
  plant: async path => void (await store.write(parsePath(`/${path}`), Readable.from(['mine']), {})),
  has: async path => (await store.stat(parsePath(`/${path}`))) !== undefined,
  close,
})

spareConformance('spare files in memory', async () => placeIn(openMemory()))

spareConformance('spare files in a folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'filigree-spare-'))
  return placeIn(await openLocal({ root, stagingKey: Buffer.alloc(32) }), () => rm(root, { recursive: true }))
})
