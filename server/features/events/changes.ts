import type { Cluster } from '../../cluster/cluster.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import { LIMITS } from '../../limits.ts'
import type { Caller } from '../../routing/route.ts'
import type { Sessions } from '../auth/sessions.ts'

/** Milliseconds in which announcements of changes are collected. */
const CHANGES_EVERY = 200
/** Changes of others that are judged in one interval; further ones wait. */
const MOST_JUDGED = LIMITS.judgedChanges

export interface ChangesDeps {
  sessions: Pick<Sessions, 'userOf'>
  cluster: Pick<Cluster, 'subscribe'>
  files: FilesService
}

export interface Announcement {
  /** Also changes of others, as far as the user may see them. */
  others: boolean
  announce(id: string): void
}

/**
 * Announces changes that one user, or others, made or undid. A job changes many files a second: the last state of a
 * change follows after an interval. @returns stops it
 */
export function announceChanges(
  deps: ChangesDeps,
  user: Caller['user'],
  { others, announce }: Announcement,
): () => void {
  const own = new Set<string>()
  const foreign = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const sendAll = async () => {
    for (const id of own) announce(id)
    own.clear()
    const judged = [...foreign].slice(0, MOST_JUDGED)
    for (const id of judged) foreign.delete(id)
    for (const id of await visibleOf(deps, user, judged).catch(() => [])) if (timer) announce(id)
    if (timer) timer = own.size + foreign.size > 0 ? later() : undefined
  }
  const later = () => setTimeout(() => void sendAll(), CHANGES_EVERY)
  const unsubscribe = deps.cluster.subscribe('changes.changed', change => {
    if (change.userId === user.id) own.add(change.id)
    else if (others) foreign.add(change.id)
    else return
    timer ??= later()
  })
  return () => {
    clearTimeout(timer)
    timer = undefined
    unsubscribe()
  }
}

/** Those of the changes of which the user may see a path by the rights and rules of now. */
async function visibleOf(
  { sessions, files }: ChangesDeps,
  user: Caller['user'],
  ids: readonly string[],
): Promise<string[]> {
  const now = ids.length > 0 ? await sessions.userOf(user.id, user.sessionId) : undefined
  if (!now) return []
  const { history } = await files.for({ ...user, ...now })
  const visible: string[] = []
  for (const id of ids) if (await history.find(id).then(() => true, unlessMissing)) visible.push(id)
  return visible
}

function unlessMissing(thrown: unknown): false {
  if (!(thrown instanceof AppError)) throw thrown
  return false
}
