import type { FastifyRequest } from 'fastify'
import { type FilePath, joinPath, parsePath, ROOT, segmentsOf } from '../../../shared/path.ts'
import { allows } from '../../../shared/permissions.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/service.ts'
import type { Entry, OpenFile } from '../../files/types.ts'
import { queryOf, remark, target } from '../../routing/route.ts'
import type { Guesses } from '../users/login-throttle.ts'
import { verifyPassword } from '../users/password.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import { judgeSecret } from '../users/verify-secret.ts'
import type { Brake } from './rate-limit.ts'
import { issueTicket, isTicketFor, isTokenOf } from './share-token.ts'
import type { StoredShare } from './shares.store.ts'
import type { Shares } from './shares.ts'

/** Times to look for what a link leads to while that is being replaced. */
const LOOKS = 32

export interface OpenDeps {
  db: Db
  guesses: Guesses
  files: FilesService
  shares: Shares
  brake: Brake
  /** Signs the tickets of those who gave a link's password. */
  ticketKey: Uint8Array
}

/** What somebody who holds a link may see of a request's path. */
export interface OpenedShare {
  /** Whether the link is meant for what was found at its path; if not, that has to be looked for again. */
  follow(entry: Entry): Promise<boolean>
  owner: StoredUser
  /** Lists and reads, below the shared path only. */
  files: Files
  /** What was asked for. */
  entry: Entry
  /** The link is to a file, and that is it. */
  single: boolean
  /** The path was asked for with a slash at its end. */
  folder: boolean
  /** For downloads; only where there is a password. */
  ticket?: string
}

/**
 * Opens a link for a request, in the order of http-api 10.2: the link, its password, its owner and their rights, the
 * rules, the object itself. Until the password is known nothing else is told.
 * @throws AppError `not_found`, `unauthorized`, `too_many_attempts`, `forbidden`, `outside_scope`
 */
export async function openShare(deps: OpenDeps, request: FastifyRequest): Promise<OpenedShare> {
  const { hash, sub, folder } = linkOf(request)
  const share = await findLink(deps, hash, request)
  remark(request, { way: 'share', path: joinPath(share.place as FilePath, sub) })
  const ticket = share.passwordHash === '' ? undefined : await admit(deps, share, request)
  const owner = await findUser(deps.db, share.userId)
  if (!owner) throw new AppError('not_found')
  remark(request, { target: owner.username })
  if (!allows(owner.perm, 'share')) throw new AppError('forbidden')
  const own = await deps.files.for(owner)
  const found = await settled(async () => {
    const { files, path } = await own.under(parsePath(share.path))
    const shared = await files.info(path)
    const link = await deps.shares.follow(share, shared, own)
    return link && { files, shared, link }
  })
  const { files, shared } = found
  let { link } = found
  const single = shared.kind !== 'folder'
  const entry = single || sub === ROOT ? shared : await files.info(sub)
  const follow = async (entry: Entry) => {
    const now = await deps.shares.follow(link, entry, own)
    if (now) link = now
    return now !== undefined
  }
  return { follow, owner, files, entry, single, folder, ...(ticket === undefined ? {} : { ticket }) }
}

/**
 * Opens what was asked for, a shared file only if the link is meant for what was opened.
 * @throws AppError `not_found` and what `Files.open` throws
 */
export function openFile({ files, entry, single, follow }: OpenedShare): Promise<OpenFile> {
  return settled(async () => {
    const file = await files.open(entry.path)
    const isMeant = await (single ? follow(file.entry) : Promise.resolve(true)).catch(async thrown => {
      await file.close()
      throw thrown
    })
    if (isMeant) return file
    await file.close()
    return undefined
  })
}

/** Looks again while what is looked at is being replaced. @throws AppError `unavailable` when that goes on */
async function settled<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const found = await look()
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

async function findLink({ shares, brake }: OpenDeps, hash: string, request: FastifyRequest): Promise<StoredShare> {
  brake.admit(request.ip)
  const share = await shares.find(hash)
  if (share) return share
  await brake.miss(request.ip)
  throw new AppError('not_found')
}

/** Lets those in who have a ticket or know the password. @returns a ticket @throws unauthorized, too_many_attempts */
async function admit(deps: OpenDeps, share: StoredShare, request: FastifyRequest): Promise<string> {
  const ticket = queryOf(request, 'token')
  if (ticket && (isTokenOf(share, ticket) || (await isTicketFor(deps.ticketKey, share, ticket)))) return ticket
  const password = decodePassword(request.headers['x-share-password'])
  if (password === undefined) throw new AppError('unauthorized')
  const verify = async () => (await verifyPassword(password, share.passwordHash)) || undefined
  const right = await judgeSecret(deps.guesses, request, { door: 'share', subject: share.hash }, verify)
  if (!right) throw new AppError('unauthorized')
  return issueTicket(deps.ticketKey, share)
}

/** A password as it travels: percent-encoded, a `+` is a space (http-api 10.2). */
function decodePassword(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '') return undefined
  try {
    return decodeURIComponent(header.replaceAll('+', '%20'))
  } catch {
    return undefined
  }
}
