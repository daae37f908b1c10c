import type { FastifyRequest } from 'fastify'
import { type FilePath, joinPath, parentOf } from '../../../shared/path.ts'
import { allows, NO_PERMISSIONS, type Permissions } from '../../../shared/permissions.ts'
import { AppError } from '../../errors.ts'
import type { Recording } from '../../files/change-records.ts'
import type { Files } from '../../files/files.ts'
import type { Actor, Ceiling } from '../../files/policy.ts'
import { recordVisit, remark } from '../../routing/route.ts'
import type { ActingUser } from '../groups/acting-user.ts'
import { realPathOf, withOwner } from './link-owner.ts'
import { linkId, rightsNow } from './link-rights.ts'
import { RateLimit } from './rate-limit.ts'
import { checkedSender, senderIn } from './sender.ts'
import type { StoredShare } from './shares.store.ts'
import { type OpenDeps, reachShared, type VisitedLink, visitLink } from './visit-link.ts'

/** A link to edit that a visitor has opened, for a request that changes something. */
export interface OpenedEdit {
  share: StoredShare
  owner: ActingUser
  /** The owner's files, cut to the shared folder and the rights of the link. */
  files: Files
  /** The shared folder in them, or the shared file. */
  folder: FilePath
  /** The name that the visitor gave; `''` for none, and for what only reads. */
  visitor: string
}

/**
 * The files that the visitor of a link to edit may change: the owner's, by what the owner may do now, with the rights of
 * the link and in the shared folder only. The visitor's name counts for what changes.
 * @throws AppError as `visitLink`; `forbidden` for a link of another kind; `not_found`, `outside_scope`; `bad_request`
 *   without a name where the link requires one
 */
export async function openEdited(deps: OpenDeps, request: FastifyRequest, visited: VisitedLink): Promise<OpenedEdit> {
  const { share, owner } = visited
  if (share.purpose !== 'edit') throw new AppError('forbidden')
  const { own, link } = await reachShared(deps, share, owner)
  const folder = realPathOf(link, owner)
  // Only the object itself: its path may lead to another one by now.
  if ((await own.identify(folder)) !== link.identity) throw new AppError('not_found')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const visitor = isRead ? '' : checkedSender(share.terms.sender, senderIn(request))
  const recording = recordVisit(request, linkId(share), visitor)
  if (visitor !== '') remark(request, { target: named(`${linkId(share)} ${owner.username}`, visitor) })
  const now = () => visitorNow(deps, share, recording)
  const files = await deps.files.for(visitorOf(link, owner, { recording, now }))
  return { share, owner, files, folder, visitor }
}

const named = (target: string, visitor: string) => (visitor === '' ? target : `${target} ← ${visitor}`)

/** The owner as a visitor may act. */
function visitorOf(share: StoredShare, owner: ActingUser, more: Pick<Actor, 'recording' | 'now'>): Actor {
  const given = Object.fromEntries(rightsNow(share, owner).map(right => [right, true]))
  const perm: Permissions = { ...NO_PERMISSIONS, ...given, download: owner.perm.download }
  const shared = realPathOf(share, owner)
  const ceiling: Ceiling =
    share.kind === 'folder'
      ? { folders: [shared], keepsFolders: true }
      : { folders: [shared], through: parentOf(shared) }
  return { ...owner, perm, ...(owner.receiving && { receiving: perm }), ceiling, ...more }
}

/**
 * The same once the content has arrived: the link may have ended since, or give less.
 * @throws AppError `not_found`, `unauthorized`, `forbidden`, `link_paused`
 */
async function visitorNow(deps: OpenDeps, then: StoredShare, recording: Recording): Promise<Actor> {
  const found = await deps.shares.find(then.hash)
  if (!found) throw new AppError('not_found')
  if (found.passwordHash !== then.passwordHash) throw new AppError('unauthorized')
  const { share, owner } = await withOwner(deps, found)
  if (!allows(owner.perm, 'share')) throw new AppError('forbidden')
  if (share.pausedAt !== null) throw new AppError('link_paused')
  return visitorOf(share, owner, { recording })
}

/** A request of a visitor that changes something in a shared folder. */
export interface Edit {
  files: Files
  /** The requested path in them. */
  path: FilePath
  /** The requested path ends with a slash. */
  folder: boolean
  /** The path in `files` of a path below the shared folder. */
  pathOf(below: FilePath): FilePath
  /** Names in the log where something goes. */
  movesTo(goal: FilePath): void
}

/** Opens links to edit for the changes of their visitors (http-api 10.4). */
export function openEdits(given: Omit<OpenDeps, 'rateLimit'>) {
  const deps: OpenDeps = { ...given, rateLimit: new RateLimit(given.db) }
  return {
    /** @throws AppError as `openEdited` */
    async open(request: FastifyRequest): Promise<Edit> {
      const visited = await visitLink(deps, request)
      const { share, files, folder, visitor } = await openEdited(deps, request, visited)
      return {
        files,
        // A file ignores the rest of its address, as for those who view it.
        path: share.kind === 'folder' ? joinPath(folder, visited.sub) : folder,
        folder: visited.folder,
        pathOf: below => joinPath(folder, below),
        movesTo: goal =>
          remark(request, { target: named(`${linkId(share)} ${joinPath(share.canonical, goal)}`, visitor) }),
      }
    },
  }
}
