import type { FastifyRequest } from 'fastify'
import { LINK_NAME_MARK } from '../../../shared/link-names.ts'
import { type FilePath, joinPath, parsePath, ROOT, segmentsOf } from '../../../shared/path.ts'
import { allows } from '../../../shared/permissions.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Entry, OpenFile } from '../../files/types.ts'
import { isOwnOrigin } from '../../routing/own-origin.ts'
import { queryOf, remark, target } from '../../routing/route.ts'
import type { ActingUser } from '../groups/acting-user.ts'
import { verifyDummy, verifyPassword } from '../users/password.ts'
import type { PasswordThrottle } from '../users/password-throttle.ts'
import { withOwner } from './link-owner.ts'
import { linkId, shortLink } from './link-rights.ts'
import type { RateLimit } from './rate-limit.ts'
import { issueShareTicket, isTicketFor, isTokenOf } from './share-token.ts'
import type { StoredShare } from './shares.store.ts'
import type { Shares } from './shares.ts'

/** Attempts to resolve a link while its object is being replaced. */
const ATTEMPTS = 32

export interface OpenDeps {
  db: Db
  throttle: PasswordThrottle
  files: FilesService
  shares: Shares
  rateLimit: RateLimit
  /** Signs the tickets issued for a link's password. */
  ticketKey: Uint8Array
}

/** What a holder of a link may see of a request's path. */
export interface OpenedShare {
  /** Whether the link is meant for the entry found at its path; if not, the path must be resolved again. */
  follow(entry: Entry): Promise<boolean>
  owner: ActingUser
  /** Lists and reads, below the shared path only. */
  files: Files
  /** The requested entry. */
  entry: Entry
  /** The link is to a file, and this is it. */
  single: boolean
  /** The requested path ends with a slash. */
  folder: boolean
  /** For downloads; only where there is a password. */
  ticket?: string
  share: StoredShare
}

/** A link whose holder has been admitted; nothing has been looked up in the storage yet. */
export interface VisitedLink {
  share: StoredShare
  owner: ActingUser
  /** The path of the request below the link. */
  sub: FilePath
  /** The requested path ends with a slash. */
  folder: boolean
  /** For the next requests; only where there is a password. */
  ticket?: string
}

/**
 * Admits a request to a link, in the order of http-api 10.2: the link, its password, its owner and their rights. Nothing
 * else is revealed before the password.
 * @throws AppError `not_found`, `unauthorized`, `too_many_attempts`, `forbidden`; `link_paused`
 */
export async function visitLink(deps: OpenDeps, request: FastifyRequest): Promise<VisitedLink> {
  const { hash, sub, folder } = linkOf(request)
  const found = await (hash.startsWith(LINK_NAME_MARK) ? findNamed : findLink)(deps, hash, request)
  remark(request, {
    way: 'share',
    path: joinPath(found.place as FilePath, sub),
    facts: { link: shortLink(found.hash) },
  })
  const ticket = found.passwordHash === '' ? undefined : await admit(deps, found, request)
  const { share, owner } = await withOwner(deps, found)
  const { username } = owner
  remark(request, { target: share.purpose === 'edit' ? `${linkId(share)} ${username}` : username })
  if (!allows(owner.perm, 'share')) throw new AppError('forbidden')
  if (share.pausedAt !== null) throw new AppError('link_paused')
  return { share, owner, sub, folder, ...(ticket === undefined ? {} : { ticket }) }
}

/**
 * Resolves a link for a request that lists or reads. @throws AppError as `visitLink`, `outside_scope`; `forbidden` for a
 * file request, whatever the path; `limit_reached` for a link whose downloads are used up
 */
export async function openShare(deps: OpenDeps, request: FastifyRequest): Promise<OpenedShare> {
  const visited = await visitLink(deps, request)
  demandDownloads(visited.share)
  return openVisited(deps, visited)
}

/** Downloads that a link has left; none without a limit. */
export const downloadsLeft = ({ maxDownloads, used }: StoredShare): number | undefined =>
  maxDownloads === null ? undefined : Math.max(0, maxDownloads - used.downloads)

/** @throws AppError `limit_reached` for a link whose downloads are used up */
export function demandDownloads(share: StoredShare): void {
  if (downloadsLeft(share) === 0) throw new AppError('limit_reached')
}

/** @throws AppError `forbidden` for a link that shows listings and previews only */
export function demandContent(visited: VisitedLink): VisitedLink {
  if (visited.share.previewOnly) throw new AppError('forbidden')
  return visited
}

/** The same for a link that is visited already, whether or not its downloads are used up. */
export async function openVisited(deps: OpenDeps, visited: VisitedLink): Promise<OpenedShare> {
  const { share, owner, sub, folder, ticket } = visited
  if (share.purpose === 'drop') throw new AppError('forbidden')
  const found = await reachShared(deps, share, owner)
  const { own, files, shared } = found
  let { link } = found
  const single = shared.kind !== 'folder'
  const entry = single || sub === ROOT ? shared : await files.info(sub)
  const follow = async (entry: Entry) => {
    const now = await deps.shares.follow(link, entry, own)
    if (now) link = now
    return now !== undefined
  }
  return { follow, owner, files, entry, single, folder, share, ...(ticket === undefined ? {} : { ticket }) }
}

/** What a link is meant for, by the present rights of its owner. @throws AppError as `openShare` */
export async function reachShared(
  { files, shares }: Pick<OpenDeps, 'files' | 'shares'>,
  share: StoredShare,
  owner: ActingUser,
) {
  const own = await files.for(owner)
  return settled(async () => {
    const { files: below, path } = await own.under(parsePath(share.path))
    const shared = await below.info(path)
    const link = await shares.follow(share, shared, own)
    return link && { own, files: below, shared, link }
  })
}

/**
 * Opens the requested file; a shared file only if the link is meant for the opened one.
 * @throws AppError `not_found` and what `Files.open` throws
 */
export function openFile({ files, entry, single, follow }: OpenedShare): Promise<OpenFile> {
  return settled(async () => {
    const file = await files.open(entry.path)
    const isTarget = await (single ? follow(file.entry) : Promise.resolve(true)).catch(async thrown => {
      await file.close()
      throw thrown
    })
    if (isTarget) return file
    await file.close()
    return undefined
  })
}

/** Retries while the object is being replaced. @throws AppError `unavailable` when that does not end */
async function settled<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    const found = await attempt()
    if (found) return found
  }
  throw new AppError('unavailable')
}

/** The link's name and the path behind it; an encoded slash separates the two as well (http-api 1.2). */
function linkOf(request: FastifyRequest): { hash: string; sub: FilePath; folder: boolean } {
  const { path, folder } = target(request)
  const [hash = '', ...rest] = segmentsOf(path)
  return { hash, sub: rest.length === 0 ? ROOT : parsePath(rest.join('/')), folder: folder && rest.length > 0 }
}

async function findLink({ shares, rateLimit }: OpenDeps, hash: string, request: FastifyRequest): Promise<StoredShare> {
  rateLimit.admit(request.ip)
  const share = await shares.find(hash)
  if (share) return share
  await rateLimit.miss(request.ip)
  throw new AppError('not_found')
}

/**
 * A link by its own name. One that no link has looks like one with a password, unless links without one have names, too.
 * @throws AppError `unauthorized`, `too_many_attempts`; `not_found`
 */
async function findNamed(deps: OpenDeps, name: string, request: FastifyRequest): Promise<StoredShare> {
  const { shares, throttle, rateLimit } = deps
  const share = await shares.findNamed(name.slice(LINK_NAME_MARK.length))
  if (share === undefined) {
    rateLimit.admit(request.ip)
    await rateLimit.miss(request.ip)
    throw new AppError('not_found')
  }
  if (share !== 'secret') {
    if (share.passwordHash === '') rateLimit.admit(request.ip)
    return share
  }
  const password = decodePassword(request.headers['x-share-password'])
  if (password !== undefined) {
    await throttle.verify(request, guessAt(name), () => verifyDummy(password).then(() => undefined))
  }
  throw new AppError('unauthorized')
}

/** What a guess is counted for: a link that is called by its name, and one that no link has, alike. */
const guessAt = (name: string) => ({ kind: 'share', subject: name.toLowerCase() }) as const

/** Admits holders of a ticket or of the password. @returns a ticket @throws unauthorized, too_many_attempts */
async function admit(deps: OpenDeps, share: StoredShare, request: FastifyRequest): Promise<string> {
  const ticket = ticketIn(request, share)
  if (ticket && isTokenOf(share, ticket)) return ticket
  // Sending files can take longer than a ticket lasts.
  if (ticket && (await isTicketFor(deps.ticketKey, share, ticket))) {
    return share.purpose === 'view' ? ticket : issueShareTicket(deps.ticketKey, share)
  }
  const password = decodePassword(request.headers['x-share-password'])
  if (password === undefined) throw new AppError('unauthorized')
  const verify = async () => (await verifyPassword(password, share.passwordHash)) || undefined
  const { hash } = linkOf(request)
  const guess = hash.startsWith(LINK_NAME_MARK) ? guessAt(hash) : ({ kind: 'share', subject: share.hash } as const)
  const right = await deps.throttle.verify(request, guess, verify)
  if (!right) throw new AppError('unauthorized')
  return issueShareTicket(deps.ticketKey, share)
}

/** A page of another site changes nothing by a token in an address: it would need a header, which it cannot send. */
function ticketIn(request: FastifyRequest, { purpose }: StoredShare): string | undefined {
  const header = request.headers['x-share-ticket']
  if (typeof header === 'string' && header !== '') return header
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead || purpose !== 'edit' || isOwnOrigin(request) ? queryOf(request, 'token') : undefined
}

/** A password as sent: percent-encoded, with `+` as a space (http-api 10.2). */
function decodePassword(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '') return undefined
  try {
    return decodeURIComponent(header.replaceAll('+', '%20'))
  } catch {
    return undefined
  }
}
