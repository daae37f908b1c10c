import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import type { Caller } from '../../routing/route.ts'
import { findSession } from '../auth/sessions.store.ts'
import { type ActingUser, findActingUser } from '../groups/acting-user.ts'

/** Milliseconds between two checks whether a user may still run a running program. */
const CHECK_EVERY = 2000

export interface AuthorizationDeps {
  db: Db
  cluster: Cluster
}

/**
 * The current user of a session, if they may run a program in the folder they started in; the name must match an entry
 * of their list exactly (http-api 13). Administrators have no exemption.
 */
export async function allowedUser(
  { db }: AuthorizationDeps,
  { sessionId, user: { id, scope } }: Caller,
  program: string,
): Promise<ActingUser | undefined> {
  const session = await findSession(db, sessionId)
  if (!session || session.user_id !== id || session.expires_at <= Date.now()) return undefined
  const user = await findActingUser(db, id)
  return user?.perm.execute && user.commands.includes(program) && user.scope === scope ? user : undefined
}

/**
 * Calls `lost` when a user may no longer run a program: at once when this server is notified of a change, otherwise
 * within seconds.
 * @returns stops the watch
 */
export function watchAuthorization(
  deps: AuthorizationDeps,
  caller: Caller,
  program: string,
  lost: () => void,
): () => void {
  const look = () => {
    allowedUser(deps, caller, program).then(user => user ?? lost(), lost)
  }
  const timer = setInterval(look, CHECK_EVERY)
  const lookAt = (userId: number) => userId === caller.user.id && look()
  const unsubscribe = [
    deps.cluster.subscribe('user.changed', ({ id }) => lookAt(id)),
    deps.cluster.subscribe('access.changed', look),
    deps.cluster.subscribe('session.ended', ({ userId }) => lookAt(userId)),
  ]
  return () => {
    clearInterval(timer)
    for (const end of unsubscribe) end()
  }
}
