import type { Finding, FindingCode } from '../../../shared/api/diagnostics.ts'
import { isPostgres, shownDatabase } from '../../db/address.ts'
import { DatabaseError, type DatabaseFault, demandSound, wasSetUp } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import { quotedWord } from '../../sandbox/shell-split.ts'

/** Checks the database as a start would. */
export async function checkDatabase(database: string): Promise<Finding> {
  const what = shownDatabase(database)
  try {
    const isSound = isPostgres(database) ? await wasSetUp(database) : demandSound(database) === 'sound'
    return { code: isSound ? 'databaseSound' : 'databaseNew', what }
  } catch (error) {
    if (error instanceof DatabaseError) return { code: CODES[error.fault], what, lines: linesFor(error.fault, what) }
    if (error instanceof AppError) return { code: 'databaseBroken', what }
    throw error
  }
}

const CODES: Readonly<Record<DatabaseFault, FindingCode>> = {
  damaged: 'databaseBroken',
  foreign: 'databaseBroken',
  lost: 'databaseLost',
  closed: 'folderClosed',
}

function linesFor(fault: DatabaseFault, file: string): string[] {
  const quoted = quotedWord(file)
  if (fault === 'foreign') return [`filigree adopt ${quoted}`]
  return fault === 'closed' ? [`chown ${process.getuid?.() ?? ''} ${quoted}`] : ['filigree restore filigree-backup.db']
}
