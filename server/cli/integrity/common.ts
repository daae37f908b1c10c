import { type FilePath, parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import type { Files } from '../../files/files.ts'
import type { Integrity } from '../../integrity/integrity.ts'
import type { Arguments } from '../command.ts'
import { withDb } from '../open.ts'
import { withIntegrity } from '../served-folder.ts'

export const JSON_FLAG = { flag: 'json', boolean: true, doc: 'Print a JSON object for each.' } as const

/** Runs `act` with all of the served folder; the account of the host sees everything. */
export function onFiles<T>(
  given: Pick<Arguments, 'flags'>,
  act: (own: Files, integrity: Integrity) => Promise<T>,
): Promise<T> {
  return withDb(given, (db, config) =>
    withIntegrity(config, db, async ({ files, integrity }) =>
      act(await files.for({ scope: '', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false }), integrity),
    ),
  )
}

/** A path in the served folder, with or without the leading slash. @throws PathError */
export const pathIn = (word: string): FilePath => parsePath(word.startsWith('/') ? word : `/${word}`)
