import type { Finding } from '../../../shared/api/doctor.ts'
import { parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'

/** Nothing that anybody knows of: whether it is there, only the store itself can say. */
const ASKED_FOR = parsePath('/asked-for-by-filigree')

/** Whether a store that lies elsewhere does what it is asked. @param store its address, without secrets */
export async function lookAtStore(open: () => Promise<Files>, store: string): Promise<Finding> {
  try {
    await (await open()).info(ASKED_FOR)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'unavailable') return { code: 'storeAway', what: store }
  }
  return { code: 'reached', what: store }
}
