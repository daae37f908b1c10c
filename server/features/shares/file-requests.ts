import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { FileRequest, SharedResource } from '../../../shared/api/shares.ts'
import { MAX_LINK_NOTE } from '../../../shared/limits.ts'
import { childOf, type FilePath, joinPath, MAX_NAME_BYTES, parsePath, ROOT, segmentsOf } from '../../../shared/path.ts'
import { MODE_FOLDER } from '../../../shared/resource-types.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { remark } from '../../routing/route.ts'
import type { ActingUser } from '../groups/acting-user.ts'
import type { Deliveries } from './deliveries.ts'
import { openEdited } from './edit-links.ts'
import { RateLimit } from './rate-limit.ts'
import { checkedSender, DECEPTIVE } from './sender.ts'
import type { StoredShare } from './shares.store.ts'
import { type OpenDeps, reachShared, type VisitedLink, visitLink } from './visit-link.ts'

/** Bytes of a name for the number that distinguishes it from one that is taken. */
const NUMBER_BYTES = 8
/** Bytes of randomness in the id of an upload, which only its visitor knows. */
const ID_BYTES = 16

export interface InboxDeps extends Omit<OpenDeps, 'rateLimit'> {
  deliveries: Deliveries
}

/** What a visitor says about a file. */
export interface Announced {
  bytes: number
  sender: string
  note: string
}

/**
 * A file request as visitors see it: an empty folder, whatever is there (http-api 10.3).
 * @throws AppError `forbidden` below it, and where the owner may not receive files; `not_found`
 */
export async function presentRequest(deps: OpenDeps, visited: VisitedLink): Promise<SharedResource> {
  const { share, owner, sub, ticket } = visited
  if (sub !== ROOT) throw new AppError('forbidden')
  const { files, own } = await reachShared(deps, share, owner)
  await own.inbox(parsePath(share.path))
  return {
    ...{ path: ROOT, name: share.label || files.rootName, size: 0, extension: '', modified: rfc3339(share.createdAt) },
    ...{ mode: MODE_FOLDER + 0o700, isDir: true, isSymlink: false, type: '' },
    ...{ items: [], numDirs: 0, numFiles: 0, sorting: DEFAULT_SORTING },
    request: termsOf(share),
    ...(ticket === undefined ? {} : { token: ticket }),
  }
}

function termsOf({ terms, held, received }: StoredShare): FileRequest {
  const { note, sender, maxFileBytes, maxBytes, maxItems } = terms
  const left = (most: number | null, kind: 'bytes' | 'items') =>
    most === null ? null : Math.max(0, most - held[kind] - received[kind])
  return { note, sender, maxFileBytes, bytesLeft: left(maxBytes, 'bytes'), itemsLeft: left(maxItems, 'items') }
}

/** A file request that a visitor has opened, or a link to edit. */
export interface Inbox {
  share: StoredShare
  /** The owner. */
  user: ActingUser
  /** The name of the link. */
  link: string
  folder: FilePath
  /** Writes into the folder and nowhere else. */
  tools: Pick<Files, 'writer' | 'checksums' | 'placeOf'>
  /** A link to edit: its visitors choose the path, and what they replace; nothing is held or listed. */
  isEdited: boolean
  /** Segments of the request's path below the link. */
  rest: readonly string[]
}

/** Opens file requests and links to edit for the uploads of their visitors (http-api 10.3, 10.4). */
export function openInboxes(given: InboxDeps) {
  const { deliveries } = given
  const deps: OpenDeps = { ...given, rateLimit: new RateLimit(given.db) }
  return {
    /** @throws AppError as `visitLink`; `forbidden` for a link of another kind, and one that gives no right to create */
    async open(request: FastifyRequest): Promise<Inbox> {
      const visited = await visitLink(deps, request)
      const { share, owner, sub } = visited
      const about = { share, user: owner, link: share.hash, rest: segmentsOf(sub) }
      if (share.purpose === 'edit') {
        const { files, folder } = await openEdited(deps, request, visited)
        files.demandCreate(folder)
        return { ...about, folder, tools: files, isEdited: true }
      }
      if (share.purpose !== 'drop') throw new AppError('forbidden')
      const { own } = await reachShared(deps, share, owner)
      const folder = parsePath(share.path)
      const tools = { writer: await own.inbox(folder), checksums: own.checksums, placeOf: own.placeOf }
      return { ...about, folder, tools, isEdited: false }
    },
    /**
     * Holds room for a new file, which the path of the request names.
     * @returns its id and the path it wants
     * @throws AppError `bad_request`, `name_too_long`, `forbidden`, `body_too_large`
     */
    async hold(request: FastifyRequest, { share, folder, rest, isEdited }: Inbox, announced: Announced) {
      const [name, ...more] = rest
      if (name === undefined || (more.length > 0 && !isEdited)) throw new AppError('bad_request', 'names no file')
      if (isEdited) {
        return { id: randomBytes(ID_BYTES).toString('base64url'), path: joinPath(folder, parsePath(rest.join('/'))) }
      }
      const path = childOf(folder, safeName(name))
      const { sender, note } = checkedTexts(share, announced)
      const about = { link: share.hash, given: name, bytes: announced.bytes, address: request.ip }
      return { id: await deliveries.hold({ ...about, sender, note }), path }
    },
    /** Checks that a file may still be sent. @throws AppError `not_found`; `body_too_large` once limits are lower */
    async demand({ share, isEdited }: Inbox, id: string): Promise<void> {
      if (isEdited) return
      const { bytes } = await deliveries.find(share.hash, id)
      const { terms, held, received } = share
      const fits =
        bytes <= (terms.maxFileBytes ?? bytes) &&
        held.bytes + received.bytes <= (terms.maxBytes ?? Number.POSITIVE_INFINITY) &&
        held.items + received.items <= (terms.maxItems ?? Number.POSITIVE_INFINITY)
      if (!fits) throw new AppError('body_too_large', 'beyond the limits of this link')
    },
    /** The size of a file that has arrived. @throws AppError `not_found` where the link knows none of this id */
    async sizeOfArrived({ link, isEdited }: Inbox, id: string): Promise<number | undefined> {
      if (isEdited) return undefined
      const { arrived_at, bytes } = await deliveries.find(link, id)
      return arrived_at === null ? undefined : bytes
    },
    /** Names the arrived file and its sender in the audit log. @param at in the owner's scope */
    async arrived(
      request: FastifyRequest,
      { share, user, tools, isEdited }: Inbox,
      id: string,
      at?: FilePath,
    ): Promise<void> {
      if (isEdited) {
        remark(request, { ...(at && { path: tools.placeOf(at) }) })
        return
      }
      const { sender, path } = await deliveries.find(share.hash, id)
      remark(request, { path: childOf(share.place as FilePath, path), target: targetOf(user, sender) })
    },
    gone: (id: string) => deliveries.gone(id),
  }
}

const targetOf = ({ username }: ActingUser, sender: string) => (sender === '' ? username : `${username} ← ${sender}`)

/**
 * A name without invisible characters that deceive. It leaves room for a number whether or not the name is taken.
 * @throws AppError `bad_request` for a hidden or an empty name, `name_too_long`
 */
function safeName(name: string): string {
  const safe = name.replace(DECEPTIVE, '').trim()
  if (safe === '' || safe.startsWith('.')) throw new AppError('bad_request', 'name: must not be hidden or empty')
  if (Buffer.byteLength(safe) > MAX_NAME_BYTES - NUMBER_BYTES) throw new AppError('name_too_long')
  return safe
}

/** @throws AppError `bad_request` without a name where one is required, and for texts that are too long */
function checkedTexts({ terms }: StoredShare, announced: Announced): Pick<Announced, 'sender' | 'note'> {
  const sender = checkedSender(terms.sender, announced.sender)
  if (terms.sender === 'no') return { sender, note: '' }
  if (announced.note.length > MAX_LINK_NOTE) throw new AppError('bad_request', 'note: too long')
  return { sender, note: announced.note.trim() }
}
