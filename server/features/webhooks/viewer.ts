import type { ActivityNames } from '../../../shared/api/activity.ts'
import { NOT_FOR_USERS, OWN_ONLY, type WebhookType } from '../../../shared/api/webhooks.ts'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { isInOtherRoot } from '../../../shared/places.ts'
import type { Db } from '../../db/schema.ts'
import { type Base, baseAt } from '../../files/base.ts'
import { type Policy, policyFor } from '../../files/policy.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { SHARED_NAME } from '../../files/shared-item.ts'
import { findActingUser } from '../groups/acting-user.ts'
import { readSettings } from '../settings/settings.store.ts'
import type { WebhookEvent } from './events.ts'

/** An event, and the id of the user who did it; 0 for a visitor. */
export interface Occurrence {
  event: WebhookEvent
  userId: number
  /** What it is about, by which repeated ones are found; null for none. */
  subject?: string | null
}

/** What a user may hear of: their own scope, by the rights and rules of now. */
export interface Viewer {
  id: number
  scope: FilePath
  base: Base
  policy: Policy
}

/** Nothing for an account that does not exist or is disabled. */
export async function viewerOf(db: Db, id: number): Promise<Viewer | undefined> {
  const user = await findActingUser(db, id)
  if (!user) return undefined
  const { rules } = await readSettings(db)
  const scope = scopeFolder(user.scope)
  return { id, scope, base: baseAt(scope), policy: policyFor(user, rules) }
}

/** Whether a user may hear of an occurrence at all, whatever its paths are. */
export function concerns({ event: { type }, userId }: Occurrence, viewer: number, names: ActivityNames): boolean {
  if (NOT_FOR_USERS.has(type)) return false
  return userId === viewer || (!OWN_ONLY.has(type) && names !== 'own')
}

/** The event as a user may see it, with paths in the scope; nothing where they may see none of its paths. */
export function asSeenBy(
  viewer: Viewer,
  { event, userId }: Occurrence,
  names: ActivityNames,
): WebhookEvent | undefined {
  const { path: place, from: origin, ...rest } = event.data
  const user = userId === viewer.id || names === 'everyone' ? rest.user : ''
  if (place === undefined && origin === undefined) {
    return isAboutFiles(event.type) ? undefined : { ...event, data: { ...rest, user } }
  }
  const [path, from] = [place, origin].map(one => one && seenPath(viewer, one))
  // A copy to where the user sees nothing is nothing that happened in the scope.
  if (path === undefined && (from === undefined || event.type === 'item.copied')) return undefined
  return { ...event, data: { ...rest, user, ...(path && { path }), ...(from && { from }) } }
}

function seenPath({ base, policy }: Viewer, place: string): FilePath | undefined {
  if (isInOtherRoot(place as FilePath)) return undefined
  const path = base.pathOf(place as FilePath)
  return path !== undefined && isSeen(policy, path) ? path : undefined
}

/** Whether an event that was written earlier may still be sent: nothing of it is hidden from the user by now. */
export function mayStillHear({ policy, scope }: Viewer, written: { scope: string; body: string }): boolean {
  if (written.scope !== scope) return false
  const { data } = JSON.parse(written.body) as WebhookEvent
  return [data.path, data.from].every(path => path === undefined || isSeen(policy, path as FilePath))
}

const isSeen = (policy: Policy, path: FilePath): boolean =>
  path !== ROOT && policy.may('list', path) && policy.sees(path)

/** Links, sign-ins, jobs and quotas need no path. */
const isAboutFiles = (type: WebhookType): boolean => /^(file|folder|item|archive)\./.test(type)

/**
 * Whether the paths of an occurrence may lead to what others share with the one who did it: the log has these as if they lay in
 * that user's own scope, so that they say nothing of who may see them.
 */
export async function isInShared(db: Db, { event, userId }: Occurrence): Promise<boolean> {
  const { path, from } = event.data
  if (userId === 0 || (path === undefined && from === undefined)) return false
  const doer = await findActingUser(db, userId)
  if (!doer) return true
  if (!doer.receiving) return false
  const { pathOf } = baseAt(scopeFolder(doer.scope))
  return [path, from].some(place => place && pathOf(place as FilePath)?.startsWith(`/${SHARED_NAME}`))
}
