import type { Finding } from '../../../shared/api/diagnostics.ts'
import { parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/service.ts'

type User = Parameters<FilesService['for']>[0]

/** Nothing that anybody knows of: whether it is there, only the store itself can say. */
const ASKED_FOR = parsePath('/asked-for-by-filigree')

/** Whether the store of files does what it is asked. */
export async function storeAnswers(files: FilesService, user: User): Promise<boolean> {
  try {
    await (await files.for(user)).info(ASKED_FOR)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code !== 'unavailable'
  }
}

interface Place {
  /** The folder of this host that it is; nothing where it lies elsewhere. */
  folder: string | undefined
  /** Without secrets. */
  address: string
  answers(): Promise<boolean>
}

/** What is to be told of places that lie elsewhere. */
export function lookAtStores(places: readonly Place[]): Promise<Finding[]> {
  const elsewhere = places.filter(({ folder }) => folder === undefined)
  return Promise.all(
    elsewhere.map(async ({ address, answers }) => ({
      code: (await answers()) ? 'reached' : 'storeAway',
      what: address,
    })),
  )
}
