import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import type { ZodMiniType } from 'zod/mini'
import type { AuditAction, AuditWay } from '../../shared/api/audit.ts'
import type { TokenScope } from '../../shared/api/tokens.ts'
import type { User } from '../../shared/api/users.ts'
import type { EventFacts } from '../../shared/event-facts.ts'
import { endsWithSlash, type FilePath, parseEncodedPath } from '../../shared/path.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { Recording } from '../files/change-records.ts'
import type { Ceiling } from '../files/policy.ts'

/**
 * Who may call a route: `public` any client, `user` a user with a live session, `admin` such a user with the admin
 * permission. Permissions on files are checked by `Files`, not here.
 */
export const ACCESS = ['public', 'user', 'admin'] as const
export type Access = (typeof ACCESS)[number]

/** One response of a call. Without a media type it is the status as plain text (http-api 1.3). */
export interface Answer {
  /** When it is sent, or its content. */
  text: string
  /** Media types of its body. */
  type?: string | readonly string[]
  /** Shape of a body in JSON. */
  schema?: ZodMiniType
  /** Its own headers, by name, with a description. */
  headers?: Readonly<Record<string, string>>
}

/** The description of a call in the API document, in addition to what the route declares (OpenAPI 3.1). */
/** A query parameter: any text unless it has a type, or is one of some values. */
export interface QueryParameter {
  text: string
  required?: true
  type?: 'boolean' | 'integer' | 'date-time'
  of?: readonly string[]
}

export interface Description {
  /** One line in the imperative, without a full stop. */
  summary: string
  /** Description of the URL's parameter, if neither a path in the caller's scope nor a user's id. */
  path?: string
  /** Each query parameter, by name: its description, or more about it. */
  query?: Readonly<Record<string, string | QueryParameter>>
  /** Description of each request header, by name. */
  headers?: Readonly<Record<string, string>>
  /** Media type of a body that is read as a stream; any unless given. */
  takes?: string
  /** By status: successful responses, and refusals with headers or bodies of their own. */
  answers: Readonly<Record<number, Answer>>
  /** Statuses of further refusals, in addition to those of access, path and body. */
  refuses?: readonly number[]
}

/**
 * Who may call a route, and the scope that a personal API token needs: `none` refuses every token. A public route
 * reads no credentials.
 */
type Guard = { access: 'public'; token?: undefined } | { access: Exclude<Access, 'public'>; token: TokenScope | 'none' }

/**
 * One call of the API. A route declares its access and its input before its handler; the server refuses to start with
 * one that does not.
 */
export type Route = Guard & Call

/** The methods of WebDAV that HTTP itself does not have (RFC 4918). */
export const DAV_METHODS = ['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK'] as const

interface Call {
  method:
    | (typeof DAV_METHODS)[number]
    | 'GET'
    | 'POST'
    | 'PUT'
    | 'PATCH'
    | 'DELETE'
    | readonly ('GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS')[]
  /** Below the base URL; a trailing `*` takes a file path (see `target`). */
  path: string
  /** `raw`: the handler reads the body as a stream, whatever its type. Default: a small JSON body, or none. */
  body?: 'json' | 'raw'
  /** Size limit of a JSON body in bytes; the server's default unless given. */
  bodyLimit?: number
  /** Shape of the JSON body. A body that does not fit is `bad_request`. */
  schema?: ZodMiniType
  /** Treats an invalid body as absent; otherwise it is refused as `bad_request`. */
  misfit?: 'ignored'
  /**
   * The action in the audit log; `nothing` for a change not worth recording. Read-only calls may omit it; the server
   * refuses to start with any other route that does.
   */
  records?: AuditAction | 'nothing'
  /** The response is stored content, which the host may serve from another origin (docs/design/auth.md). */
  stored?: true
  /** Whether a session token in the query (`?auth=`) is accepted, for clients that open links in a new window. */
  queryToken?: true
  /** Callers have a ticket for its path (`?ticket=`), and no other credential counts: for players without a session. */
  playTicket?: true
  /** Its entry in the served description of the API. */
  describes: Description
  handler(request: FastifyRequest, reply: FastifyReply): Promise<unknown>
}

/** Whether a route states what a personal API token needs, where it has a caller. */
export const declaresTokenScope = ({ access, token }: Route): boolean => access === 'public' || token !== undefined

/** Whether a route that may change something declares its audit action. */
export const declaresAuditAction = ({ method, records }: Route): boolean =>
  records !== undefined || [method].flat().every(name => name === 'GET' || name === 'HEAD')

/** The caller of a request, set by the access gate. */
export interface Caller {
  /** Files opened for this user end with the session, and note their changes in the recording. */
  user: User & { sessionId: string; recording: Recording; ceiling?: Ceiling }
  sessionId: string
  /** How the user signed in. */
  way: AuditWay
  /** The personal API token that narrows the caller, if any. */
  token?: CallerToken | undefined
}

/** A token as the access gate needs it. */
export interface CallerToken {
  id: string
  scopes: readonly TokenScope[]
  /** Milliseconds since the epoch; null for never. */
  expiresAt: number | null
}

const callers = new WeakMap<FastifyRequest, Caller>()
const visits = new WeakMap<FastifyRequest, Recording>()

/** For the access gate only. */
export function setCaller(request: FastifyRequest, { user, ...session }: Omit<Caller, 'user'> & { user: User }): void {
  const { sessionId, way } = session
  const recording =
    findCaller(request)?.user.recording ?? new Recording({ way, session: sessionId, gesture: gestureOf(request) })
  callers.set(request, { ...session, user: { ...user, sessionId, recording } })
}

/** The recording of what a visitor of a link changes. @param session names the link @param visitor the name given */
export function recordVisit(request: FastifyRequest, session: string, visitor: string): Recording {
  const recording =
    visits.get(request) ?? new Recording({ way: 'share', session, visitor, gesture: gestureOf(request) })
  visits.set(request, recording)
  return recording
}

/** What a request has changed, by its caller or by a visitor of a link. */
export const recordingOf = (request: FastifyRequest): Recording | undefined =>
  findCaller(request)?.user.recording ?? visits.get(request)

/** The id that a client sends with all requests of one action. */
function gestureOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['x-gesture']
  return typeof id === 'string' && GESTURE.test(id) ? id.toLowerCase() : undefined
}

const GESTURE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The caller; undefined on a public route, or before the gate has passed. */
export const findCaller = (request: FastifyRequest): Caller | undefined => callers.get(request)

/** The caller. @throws AppError `unauthorized` on a public route without a session */
export function callerOf(request: FastifyRequest): Caller {
  const caller = findCaller(request)
  if (!caller) throw new AppError('unauthorized')
  return caller
}

/** Details of one call for the audit log, in addition to the route, the caller and the response. */
export interface Remark {
  /** Overrides the route's action. */
  action?: AuditAction | 'nothing'
  /** Overrides the outcome of the response. */
  outcome?: ErrorCode
  /** The acting user, if not the caller. */
  who?: { id: number; username: string } | undefined
  way?: AuditWay
  /** In the served root; by default the path in the URL, in the caller's scope. */
  path?: FilePath
  /** Destination, in the caller's scope. */
  goal?: FilePath
  /** The subject of the action. */
  target?: string
  /** What webhooks receive besides. */
  facts?: EventFacts
}

const remarks = new WeakMap<FastifyRequest, Remark>()

/** Adds details for the audit log; later ones are merged into earlier ones. */
export function remark(request: FastifyRequest, more: Remark): void {
  const before = remarkOf(request)
  const facts = (before.facts || more.facts) && { facts: { ...before.facts, ...more.facts } }
  remarks.set(request, { ...before, ...more, ...facts })
}

export const remarkOf = (request: FastifyRequest): Remark => remarks.get(request) ?? {}

const offers = new WeakMap<FastifyRequest, () => Promise<WebSocket | undefined>>()

/** For the HTTP side only. */
export function offerSocket(request: FastifyRequest, accept: () => Promise<WebSocket | undefined>): void {
  offers.set(request, accept)
}

/**
 * Upgrades the connection of a request to a WebSocket, after which no response may be sent. It is paused, so that
 * nothing is missed before there is a listener.
 * @returns nothing when the client has disconnected
 * @throws AppError `bad_request` for a request that is no handshake of RFC 6455
 */
export async function acceptSocket(request: FastifyRequest, reply: FastifyReply): Promise<WebSocket | undefined> {
  const accept = offers.get(request)
  if (!accept) throw new AppError('bad_request', 'this address takes a WebSocket')
  reply.hijack()
  return accept()
}

/** The file path of a `*` route. */
export interface Target {
  path: FilePath
  /** The path ended with a slash, which asks for a folder (http-api 1.5). */
  folder: boolean
}

const meant = new WeakMap<FastifyRequest, FilePath>()

/** Says which path a request means whose client spells names otherwise than the disk. */
export const setTargetPath = (request: FastifyRequest, path: FilePath): void => void meant.set(request, path)

/**
 * The path after the route's prefix, decoded once from the raw request target. The router's own decoding is not used:
 * one place decides what a path means.
 * @throws PathError for anything that is not canonical
 */
export function target(request: FastifyRequest): Target {
  const prefix = (request.routeOptions.url ?? '').replace(/\/\*$/, '')
  const raw = pathPart(request.raw.url ?? '')
  if (!raw.startsWith(prefix)) throw new AppError('not_found')
  const encoded = raw.slice(prefix.length)
  return { path: meant.get(request) ?? parseEncodedPath(encoded), folder: encoded === '' || endsWithSlash(encoded) }
}

/** A request target without its query. */
export function pathPart(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

/** A query parameter; the first one if it is repeated. */
export function queryOf(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]
  return Array.isArray(value) ? value[0] : value
}

/** A part of the path that the route names, decoded; empty where the route has none of this name. */
export function parameterOf({ params }: FastifyRequest, name: string): string {
  return (params as Record<string, string | undefined>)[name] ?? ''
}

/** The unread body of a `raw` route, with its `Content-Length` in bytes if there is one. */
export function rawBody(request: FastifyRequest): { stream: Readable; length?: number } {
  const announced = request.headers['content-length']
  return announced === undefined ? { stream: request.raw } : { stream: request.raw, length: Number(announced) }
}

/** A signal that fires when the client disconnects before the response is complete. */
export function clientGone(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const onClose = () => {
    if (!reply.raw.writableFinished) controller.abort(new AppError('incomplete_body', 'the client disconnected'))
  }
  reply.raw.once('close', onClose)
  // It may have disconnected already, after which no event follows.
  if (reply.raw.destroyed || (request.raw.destroyed && !request.raw.complete)) onClose()
  return controller.signal
}

/** Reason phrases that differ from the runtime's (http-api 1.3). */
const REASONS: Record<number, string> = {
  413: 'Request Entity Too Large',
  416: 'Requested Range Not Satisfiable',
  460: 'Checksum Mismatch',
}

/** A status in the wire's form: `200 OK` (http-api 1.3). */
export function statusText(status: number): string {
  return `${status} ${REASONS[status] ?? STATUS_CODES[status] ?? 'Error'}`
}

/** Sends a status alone, as plain text that ends in a newline (http-api 1.3). */
export function sendStatus(reply: FastifyReply, status: number): FastifyReply {
  return reply
    .code(status)
    .type('text/plain; charset=utf-8')
    .send(`${statusText(status)}\n`)
}
