import * as z from 'zod/mini'
import type { Db } from '../../db/schema.ts'
import { readAdopted, writeAdopted } from '../../features/settings/settings.store.ts'

const Fingerprints = z.record(z.string(), z.string())

/** State of the last import, with which the next one detects changes made here since. */
const ImportState = z.object({
  settings: Fingerprints,
  /** By their ids in File Browser. */
  users: z.record(z.string(), z.object({ id: z.int(), fields: Fingerprints })),
  /** Hashes of share links. */
  links: z.array(z.string()),
})
export type ImportState = z.infer<typeof ImportState>

/** `undefined` before the first import. */
export async function readImportState(db: Db): Promise<ImportState | undefined> {
  const stored = await readAdopted(db)
  return stored === null ? undefined : ImportState.parse(stored)
}

export const writeImportState = (db: Db, memory: ImportState): Promise<void> => writeAdopted(db, memory)
