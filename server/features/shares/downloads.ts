import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Entry, OpenFile } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { pathPart } from '../../routing/route.ts'
import { issueTicket, verifyTicket } from '../auth/ticket.ts'
import { returnDownload, type StoredShare, takeDownload } from './shares.store.ts'
import { demandDownloads, downloadsLeft, type VisitedLink } from './visit-link.ts'
import type { Visits } from './visits.ts'

/** The cookie of a begun download. */
const COOKIE = 'flg_dl'
/** Cookies that are read: one for each folder above the requested path. */
const MOST_TICKETS = 16
/** Parameters that do not change what is sent. */
const FREE = new Set(['token', 'inline'])

interface DownloadsDeps {
  db: Db
  /** Signs what lets a download be resumed. */
  ticketKey: Uint8Array
  visits: Pick<Visits, 'downloaded' | 'noted'>
}

/** What a request asks for. */
interface Wanted {
  share: StoredShare
  entry: Entry
}

/**
 * Counts the downloads of a link (http-api 10.2). With a limit each is counted before its first byte, exactly; its rest,
 * and another try at the same version, are free for the client that began it and has its cookie.
 */
export class Downloads {
  readonly #deps: DownloadsDeps

  constructor(deps: DownloadsDeps) {
    this.#deps = deps
  }

  /** @throws AppError `limit_reached` where nothing is left, except to clients that have begun a download */
  async admit(request: FastifyRequest, visited: VisitedLink): Promise<VisitedLink> {
    const { share } = visited
    if (downloadsLeft(share) === 0 && (await this.#begun(request, share)).length === 0) {
      throw new AppError('limit_reached')
    }
    return visited
  }

  /**
   * Counts a request and sends what it asks for.
   * @param send rejects before the first byte, or not at all @throws AppError `limit_reached` and what `send` throws
   */
  async counted(request: FastifyRequest, reply: FastifyReply, wanted: Wanted, send: () => Promise<FastifyReply>) {
    const { share } = wanted
    if (share.maxDownloads === null) {
      await this.#deps.visits.downloaded(share.hash, wanted.entry.path, request)
      return send()
    }
    const taken = await this.#take(request, reply, wanted)
    try {
      const sent = await send()
      const event = { at: Date.now(), what: 'download', path: wanted.entry.path } as const
      if (taken) await this.#deps.visits.noted(share.hash, event)
      return sent
    } catch (thrown) {
      if (taken) await returnDownload(this.#deps.db, share.hash)
      if (taken) reply.removeHeader('Set-Cookie')
      throw thrown
    }
  }

  /** The same for an open file, which is always closed. */
  async countedFile(
    request: FastifyRequest,
    reply: FastifyReply,
    share: StoredShare,
    file: OpenFile,
    send: () => Promise<FastifyReply>,
  ) {
    try {
      return await this.counted(request, reply, { share, entry: file.entry }, send)
    } catch (thrown) {
      await file.close()
      throw thrown
    }
  }

  /** @returns whether the request was counted */
  async #take(request: FastifyRequest, reply: FastifyReply, { share, entry }: Wanted): Promise<boolean> {
    const what = digestOf(request, entry)
    if ((await this.#begun(request, share)).includes(what)) return false
    if (request.method === 'HEAD') {
      demandDownloads(share)
      return false
    }
    const ticket = await issueTicket(this.#scope(share), { what })
    if (!(await takeDownload(this.#deps.db, share.hash, Date.now()))) throw new AppError('limit_reached')
    const secure = request.protocol === 'https' ? '; Secure' : ''
    const place = `Path=${pathOf(request)}; Max-Age=${LIMITS.begunDownload}`
    reply.header('Set-Cookie', `${COOKIE}=${ticket}; ${place}; HttpOnly; SameSite=Lax${secure}`)
    return true
  }

  /** What the client has begun to download from a link. */
  async #begun({ headers }: FastifyRequest, share: StoredShare): Promise<unknown[]> {
    const tickets = ticketsIn(headers.cookie).slice(0, MOST_TICKETS)
    const claims = await Promise.all(tickets.map(ticket => verifyTicket(this.#scope(share), ticket)))
    return claims.flatMap(claim => (claim ? [claim.what] : []))
  }

  #scope({ hash }: StoredShare) {
    return { key: this.#deps.ticketKey, use: 'download', subject: hash } as const
  }
}

/** The version of a file, or of a folder with the choice of its items and a format. */
function digestOf({ query }: FastifyRequest, { path, version }: Entry): string {
  const chosen = Object.entries(query as object).filter(([name]) => !FREE.has(name))
  const parts = [path, version, chosen.toSorted(([a], [b]) => (a < b ? -1 : 1))]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** The path of the request for a cookie, which a semicolon would end. */
const pathOf = ({ raw }: FastifyRequest): string => pathPart(raw.url ?? '').replace(/\/[^/]*;.*$/, '')

/** One for each path that covers that of the request. */
const ticketsIn = (header = ''): string[] =>
  header
    .split(';')
    .map(part => part.trim())
    .filter(part => part.startsWith(`${COOKIE}=`))
    .map(part => part.slice(COOKIE.length + 1))
