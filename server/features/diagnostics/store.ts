import type { Finding } from '../../../shared/api/diagnostics.ts'
import { parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'

type User = Parameters<FilesService['for']>[0]

/** A path that does not exist: only a working store can answer that. */
const PROBE_PATH = parsePath('/asked-for-by-filigree')

/** Whether the store of files works. */
export async function storeWorks(files: FilesService, user: User): Promise<boolean> {
  try {
    await (await files.for(user)).info(PROBE_PATH)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code !== 'unavailable'
  }
}

interface Place {
  /** The folder on this host; `undefined` for a remote store. */
  folder: string | undefined
  /** Without secrets. */
  address: string
  answers(): Promise<boolean>
}

/** The findings about remote stores. */
export function checkStores(places: readonly Place[]): Promise<Finding[]> {
  const elsewhere = places.filter(({ folder }) => folder === undefined)
  return Promise.all(
    elsewhere.map(async ({ address, answers }) => ({
      code: (await answers()) ? 'reached' : 'storeAway',
      what: address,
    })),
  )
}
