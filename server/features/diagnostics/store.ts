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

/** Whether a rule of the store removes deleted files sooner than the trash does. @param days of the trash; 0 for no limit */
export async function checkKept(
  files: FilesService,
  { address, days }: { address: string; days: number },
): Promise<Finding[]> {
  const after = await files.forgetsAfter().catch(() => undefined)
  if (after === undefined || (days !== 0 && after >= days)) return []
  return [{ code: 'bucketForgets', what: address, amount: after }]
}
