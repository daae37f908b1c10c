import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { ZodMiniType } from 'zod/mini'
import type { AuditAction, AuditWay } from '../../shared/api/audit.ts'
import type { User } from '../../shared/api/users.ts'
import { endsWithSlash, type FilePath, parseEncodedPath } from '../../shared/path.ts'
import { AppError, type ErrorCode } from '../errors.ts'

/**
 * Who may call a route: `public` anybody, `user` whoever has a live session, `admin` such a user with the admin
 * permission. Rights on files are not decided here but by `Files`.
 */
export const ACCESS = ['public', 'user', 'admin'] as const
export type Access = (typeof ACCESS)[number]

/** One answer of a call. Without a media type it is the status as plain text (http-api 1.3). */
export interface Answer {
  /** When this comes, or what it holds. */
  text: string
  /** Media types of its body. */
  type?: string | readonly string[]
  /** Shape of a body in JSON. */
  schema?: ZodMiniType
  /** What its own headers tell, by name. */
  headers?: Readonly<Record<string, string>>
}

/** What the description of the API tells of a call, beside what the route declares anyway (OpenAPI 3.1). */
export interface Description {
  /** One line in the imperative, without a full stop. */
  summary: string
  /** What the part of the address that varies is, if neither a path in the caller's scope nor the number of a user. */
  path?: string
  /** What each parameter of the query does, by name; `required` where one must be given. */
  query?: Readonly<Record<string, string | { text: string; required: true }>>
  /** What each header of the request does, by name. */
  headers?: Readonly<Record<string, string>>
  /** Media type of a body that is read as a stream; any unless told. */
  takes?: string
  /** By status: what comes when it goes well, and refusals that have something of their own to tell. */
  answers: Readonly<Record<number, Answer>>
  /** Other statuses of refusals, beside those that access, path and body bring along. */
  refuses?: readonly number[]
}

/**
 * One call of the API. A route says who may call it and what it takes before what it does; the server refuses to start
 * with one that does not.
 */
export interface Route {
  method:
    | 'GET'
    | 'POST'
    | 'PUT'
    | 'PATCH'
    | 'DELETE'
    | readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS')[]
  /** Below the base URL; a trailing `*` takes a file path (see `target`). */
  path: string
  access: Access
  /** `raw`: the handler reads the body as a stream, whatever its type. Default: a small JSON body, or none. */
  body?: 'json' | 'raw'
  /** Bytes of a JSON body; the server's usual limit unless given. */
  bodyLimit?: number
  /** Shape of the JSON body. A body that does not fit is `bad_request`. */
  schema?: ZodMiniType
  /** A body that does not fit counts as none; without this it is refused as `bad_request`. */
  misfit?: 'ignored'
  /**
   * What the audit log calls it; `nothing` for what changes nothing worth telling. Calls that only read may leave it out;
   * the server refuses to start with another one that does.
   */
  records?: AuditAction | 'nothing'
  /** Answers with what users stored, which the host may have opened from another origin (docs/design/auth.md). */
  stored?: true
  /** Whether a session token in the query (`?auth=`) is accepted, for clients that open links in a new window. */
  queryToken?: true
  /** What the served description of the API tells of it. */
  describes: Description
  handler(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
}

/** Whether a route says what the audit log calls it, if it may change anything. */
export const saysWhatIsRecorded = ({ method, records }: Route): boolean =>
  records !== undefined || [method].flat().every(name => name === 'GET' || name === 'HEAD')

/** The person behind a request, put there by the access gate. */
export interface Caller {
  /** Files opened for this user are bound to the session. */
  user: User & { sessionId: string }
  sessionId: string
  /** How the user came in. */
  way: AuditWay
}

const callers = new WeakMap<FastifyRequest, Caller>()

/** For the access gate only. */
export function setCaller(request: FastifyRequest, { user, ...session }: Omit<Caller, 'user'> & { user: User }): void {
  callers.set(request, { ...session, user: { ...user, sessionId: session.sessionId } })
}

/** Who calls; nobody on a public route, or before the gate has let them in. */
export const findCaller = (request: FastifyRequest): Caller | undefined => callers.get(request)

/** Who calls. @throws AppError `unauthorized` on a public route without a session */
export function callerOf(request: FastifyRequest): Caller {
  const caller = findCaller(request)
  if (!caller) throw new AppError('unauthorized')
  return caller
}

/** What the audit log is told of one call, beside what the route, the caller and the answer tell. */
export interface Remark {
  /** Instead of what the route records. */
  action?: AuditAction | 'nothing'
  /** Instead of what the answer says. */
  outcome?: ErrorCode
  /** Who it was, where that is not the caller. */
  who?: { id: number; username: string } | undefined
  way?: AuditWay
  /** In the served root; the path in the address, in the caller's scope, unless given. */
  path?: FilePath
  /** In the caller's scope, where something goes. */
  goal?: FilePath
  /** Whom or what it is about. */
  target?: string
}

const remarks = new WeakMap<FastifyRequest, Remark>()

/** Tells the audit log more of a call; later words are added to earlier ones. */
export function remark(request: FastifyRequest, more: Remark): void {
  remarks.set(request, { ...remarkOf(request), ...more })
}

export const remarkOf = (request: FastifyRequest): Remark => remarks.get(request) ?? {}

const offers = new WeakMap<FastifyRequest, () => Promise<WebSocket | undefined>>()

/** For the HTTP side only. */
export function offerSocket(request: FastifyRequest, accept: () => Promise<WebSocket | undefined>): void {
  offers.set(request, accept)
}

/**
 * Turns the connection of a request into a WebSocket, after which nothing may be answered any more. It comes paused, so
 * that nothing is missed before somebody listens.
 * @returns nothing when the client has gone
 * @throws AppError `bad_request` for a request that is no handshake of RFC 6455
 */
export async function acceptSocket(request: FastifyRequest, reply: FastifyReply): Promise<WebSocket | undefined> {
  const accept = offers.get(request)
  if (!accept) throw new AppError('bad_request', 'this address takes a WebSocket')
  reply.hijack()
  return accept()
}

/** The file path a `*` route was called with. */
export interface Target {
  path: FilePath
  /** The path ended with a slash, which asks for a folder (http-api 1.5). */
  folder: boolean
}

/**
 * The path behind the route's prefix, decoded once from the raw request target. The router's own decoding is not used:
 * one place decides what a path means.
 * @throws PathError for anything that is not canonical
 */
export function target(request: FastifyRequest): Target {
  const prefix = (request.routeOptions.url ?? '').replace(/\/\*$/, '')
  const raw = pathPart(request.raw.url ?? '')
  if (!raw.startsWith(prefix)) throw new AppError('not_found')
  const encoded = raw.slice(prefix.length)
  return { path: parseEncodedPath(encoded), folder: encoded === '' || endsWithSlash(encoded) }
}

/** A request target without its query. */
export function pathPart(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/** One query parameter; the first if it was given several times. */
export function queryOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]
  return Array.isArray(value) ? value[0] : value
}

/** The unread body of a `raw` route, with its announced length in bytes if there is one. */
export function rawBody(request: FastifyRequest): { stream: Readable; length?: number } {
  const announced = request.headers['content-length']
  return announced === undefined ? { stream: request.raw } : { stream: request.raw, length: Number(announced) }
}

/** A signal that fires when the client goes away before it was answered. */
export function clientGone(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const onClose = () => {
    if (!reply.raw.writableFinished) controller.abort(new AppError('incomplete_body', 'the client went away'))
  }
  reply.raw.once('close', onClose)
  // It may be gone already, and then nothing tells of it any more.
  if (reply.raw.destroyed || (request.raw.destroyed && !request.raw.complete)) onClose()
  return controller.signal
}

/** Reason phrases that clients know by other words than the runtime's (http-api 1.3). */
const REASONS: Record<number, string> = {
  413: 'Request Entity Too Large',
  416: 'Requested Range Not Satisfiable',
  460: 'Checksum Mismatch',
}

/** A status in the wire's form: `200 OK` (http-api 1.3). */
export function statusText(status: number): string {
  return `${status} ${REASONS[status] ?? STATUS_CODES[status] ?? 'Error'}`
}

/** Answers with a status alone, as plain text that ends in a newline (http-api 1.3). */
export function sendStatus(reply: FastifyReply, status: number): FastifyReply {
  return reply
    .code(status)
    .type('text/plain; charset=utf-8')
    .send(`${statusText(status)}\n`)
}

/**
 * Whether a list of versions names this one (RFC 9110, 13.1.1).
 * @param etag with its quotes
 * @param how `weakly` takes one for it that something on the way made weak
 */
export function namesVersion(header: string, etag: string, { weakly = false } = {}): boolean {
  if (header.trim() === '*') return true
  const tags = header.split(',').map(tag => tag.trim())
  return tags.includes(etag) || (weakly && tags.includes(`W/${etag}`))
}
