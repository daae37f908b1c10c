import type { WhichJobs } from '../../jobs/jobs.store.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { sessionIdOf } from '../tokens/session-ids.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Sessions } from './sessions.ts'

interface EndingDeps {
  sessions: Sessions
  tokens: Tokens
  jobs: Pick<Jobs, 'cancelAll'>
  locks: { endOf(userId: number, which: WhichJobs): Promise<void> }
}

/** What ends the sessions and API tokens of users, with the operations and locks that began in them. */
export function accountEnding({ sessions, tokens, jobs, locks }: EndingDeps) {
  return {
    async endSessions(userId: number, which: Omit<WhichJobs, 'only'> = {}): Promise<void> {
      await sessions.endAll(userId, which.but)
      await jobs.cancelAll(userId, which)
      await locks.endOf(userId, which)
    },
    async endSession(userId: number, sessionId: string): Promise<void> {
      await sessions.end(sessionId)
      await jobs.cancelAll(userId, { only: sessionId })
      await locks.endOf(userId, { only: sessionId })
    },
    /** Ends the locks of a session that its user ends: its operations continue. */
    endLocks: (userId: number, sessionId: string): Promise<void> => locks.endOf(userId, { only: sessionId }),
    /** @returns how many */
    async endTokens(userId: number, tokenId?: string): Promise<number> {
      const ended = await tokens.end(userId, tokenId)
      for (const id of ended) {
        await sessions.endStarted(userId, sessionIdOf(id))
        await jobs.cancelAll(userId, { only: sessionIdOf(id), planned: true })
        await locks.endOf(userId, { only: sessionIdOf(id) })
      }
      return ended.length
    },
  }
}
