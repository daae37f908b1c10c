import { userInfo } from 'node:os'
import { recordAlone } from '../audit/audit.ts'
import type { Arguments } from '../config/flags.ts'
import type { Db } from '../db/schema.ts'
import { withDb } from './open.ts'

/** Tells the audit log of a command that changed something. @param told nothing that may be a secret */
export async function noteIn(db: Db, told: string): Promise<void> {
  const who = { id: 0, username: userInfo().username }
  const event = { action: 'console', outcome: 'done', way: 'console', address: '', who, target: told } as const
  await recordAlone(db, event)
}

/** The same for a command that is about the database which its flags name. */
export const noteCommand = (told: string, given: Arguments): Promise<void> => withDb(given, db => noteIn(db, told))
