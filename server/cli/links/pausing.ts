import { updateShare } from '../../features/shares/shares.store.ts'
import type { Arguments } from '../command.ts'
import { inTransaction, withDb } from '../open.ts'
import { demandLinks } from './named.ts'

/** Pauses the links that the arguments name, or resumes them: all, or none. @throws AppError `not_found` */
export const pauseLinks = (given: Arguments, paused: boolean): Promise<void> =>
  withDb(given, db =>
    inTransaction(db, async transaction => {
      const now = Math.floor(Date.now() / 1000)
      for (const { hash } of await demandLinks(transaction, given.positionals))
        await updateShare(transaction, hash, { paused }, now)
    }),
  )
