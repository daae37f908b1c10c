import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { Db } from '../../db/schema.ts'
import type { MailServer } from '../../lib/mail-address.ts'
import { MailError, type Transport } from './transport.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Whether the mail server takes this server now, and how many mails it has not taken. */
export async function mailFindings(
  db: Db,
  { transport, server, now }: { transport: Pick<Transport, 'verify'>; server: MailServer; now: number },
): Promise<Finding[]> {
  const what = `${server.host.includes(':') ? `[${server.host}]` : server.host}:${server.port}`
  const answers = await transport.verify().then(
    () => true,
    error => {
      if (!(error instanceof MailError)) throw error
      return false
    },
  )
  const [dead, late] = await Promise.all([
    count(db, { state: 'dead', column: 'ended_at', from: now - DAY, to: now }),
    count(db, { state: 'waiting', column: 'created_at', from: 0, to: now - HOUR }),
  ])
  return [
    answers ? { code: 'mailUp', what } : { code: 'mailAway', what, lines: ['filigree mail test <address>'] },
    ...(dead > 0 ? [{ code: 'mailDead', amount: dead } as const] : []),
    ...(late > 0 ? [{ code: 'mailLate', amount: late } as const] : []),
  ]
}

async function count(
  db: Db,
  { state, column, from, to }: { state: string; column: 'ended_at' | 'created_at'; from: number; to: number },
): Promise<number> {
  const row = await db
    .selectFrom('mails')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('state', '=', state)
    .where(column, '>', from)
    .where(column, '<=', to)
    // A mail about arrivals, or about a job, waits on purpose.
    .where('tries', '>', 0)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
