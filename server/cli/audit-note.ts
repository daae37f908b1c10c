import { recordAlone } from '../audit/audit.ts'
import type { Arguments } from '../config/flags.ts'
import type { Db } from '../db/schema.ts'
import { accountName } from './account.ts'
import { withDb } from './open.ts'

/** Records a command that changed something in the audit log. @param target must not contain secrets */
export async function noteIn(db: Db, target: string): Promise<void> {
  const who = { id: 0, username: accountName() }
  const event = { action: 'console', outcome: 'done', way: 'console', address: '', who, target } as const
  await recordAlone(db, event)
}

/** The same for a command, in the database that its flags name. */
export const noteCommand = (target: string, given: Arguments): Promise<void> => withDb(given, db => noteIn(db, target))
