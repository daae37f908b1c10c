import * as z from 'zod/mini'
import type { Db } from '../../db/schema.ts'
import { readAdopted, writeAdopted } from '../../features/settings/settings.store.ts'

const Fingerprints = z.record(z.string(), z.string())

/** What came the last time, so that a second run can tell what was changed here since. */
const Memory = z.object({
  settings: Fingerprints,
  /** By their ids over there. */
  users: z.record(z.string(), z.object({ id: z.int(), fields: Fingerprints })),
  /** Names of links. */
  links: z.array(z.string()),
})
export type Memory = z.infer<typeof Memory>

/** Nothing at all before the first run. */
export async function readMemory(db: Db): Promise<Memory | undefined> {
  const stored = await readAdopted(db)
  return stored === null ? undefined : Memory.parse(stored)
}

export const writeMemory = (db: Db, memory: Memory): Promise<void> => writeAdopted(db, memory)
