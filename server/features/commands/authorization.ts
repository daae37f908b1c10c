import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import type { Caller } from '../../routing/route.ts'
import { findSession } from '../auth/sessions.store.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'

/** Milliseconds between two looks whether somebody may still run what runs for them. */
const LOOK_EVERY = 2000

export interface StandingDeps {
  db: Db
  cluster: Cluster
}

/**
 * The user behind a session as they are now, if they may run a program in the folder they were let into; the name must
 * be on their list as it is, letter by letter (http-api 13). Being an administrator changes nothing.
 */
export async function allowedUser(
  { db }: StandingDeps,
  { sessionId, user: { id, scope } }: Caller,
  program: string,
): Promise<StoredUser | undefined> {
  const session = await findSession(db, sessionId)
  if (!session || session.user_id !== id || session.expires_at <= Date.now()) return undefined
  const user = await findUser(db, id)
  return user?.perm.execute && user.commands.includes(program) && user.scope === scope ? user : undefined
}

/**
 * Tells when somebody may no longer run a program: at once if this server was told of a change, else within seconds.
 * @returns ends the watch
 */
export function watchStanding(deps: StandingDeps, caller: Caller, program: string, lost: () => void): () => void {
  const look = () => {
    allowedUser(deps, caller, program).then(user => user ?? lost(), lost)
  }
  const timer = setInterval(look, LOOK_EVERY)
  const lookAt = (userId: number) => userId === caller.user.id && look()
  const unsubscribe = [
    deps.cluster.subscribe('user.changed', ({ id }) => lookAt(id)),
    deps.cluster.subscribe('session.ended', ({ userId }) => lookAt(userId)),
  ]
  return () => {
    clearInterval(timer)
    for (const end of unsubscribe) end()
  }
}
