import { userInfo } from 'node:os'
import { recordAlone } from '../audit/audit.ts'
import type { Arguments } from '../config/flags.ts'
import { withDb } from './open.ts'

/** Tells the audit log of a command that changed something. @param told nothing that may be a secret */
export async function noteCommand(told: string, given: Arguments): Promise<void> {
  const who = { id: 0, username: userInfo().username }
  const event = { action: 'console', outcome: 'done', way: 'console', address: '', who, target: told } as const
  await withDb(given, db => recordAlone(db, event))
}
