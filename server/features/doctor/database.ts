import type { Finding } from '../../../shared/api/doctor.ts'
import { isPostgres, shownDatabase } from '../../db/address.ts'
import { demandSound, wasSetUp } from '../../db/open.ts'
import { AppError } from '../../errors.ts'

/** Looks at the database as a start would. */
export async function lookAtDatabase(database: string): Promise<Finding> {
  try {
    const isSound = isPostgres(database) ? await wasSetUp(database) : demandSound(database) === 'sound'
    return { code: isSound ? 'databaseSound' : 'databaseNew', what: shownDatabase(database) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [what = '', ...lines] = error.message.split('\n')
    return { code: 'databaseBroken', what, lines }
  }
}
