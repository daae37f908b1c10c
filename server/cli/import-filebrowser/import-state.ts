import * as z from 'zod/mini'
import type { Db } from '../../db/schema.ts'
import { readAdopted, writeAdopted } from '../../features/settings/settings.store.ts'

const Fingerprints = z.record(z.string(), z.string())

/** State of the last import, with which the next one detects changes made here since. */
const Memory = z.object({
  settings: Fingerprints,
  /** By their ids in File Browser. */
  users: z.record(z.string(), z.object({ id: z.int(), fields: Fingerprints })),
  /** Hashes of share links. */
  links: z.array(z.string()),
})
export type Memory = z.infer<typeof Memory>

/** `undefined` before the first import. */
export async function readMemory(db: Db): Promise<Memory | undefined> {
  const stored = await readAdopted(db)
  return stored === null ? undefined : Memory.parse(stored)
}

export const writeMemory = (db: Db, memory: Memory): Promise<void> => writeAdopted(db, memory)
