import { openDb } from '../../server/db/open.ts'
import type { Place } from './client.ts'

/** Before any confirmation that counts, in milliseconds. */
const LONG = 11 * 60_000

/** Has the users of all sessions of a server of our own confirmed to be present too long ago, as their sign-ins were. */
export async function confirmedLongAgo(server: Place & { database?: string }): Promise<void> {
  if (server.database === undefined) throw new Error('the database of this server is unknown')
  const { db } = await openDb(server.database)
  await db
    .updateTable('sessions')
    .set({ confirmed_at: Date.now() - LONG })
    .execute()
  await db.destroy()
}
