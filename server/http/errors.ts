import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, asAppError, type ErrorCode } from '../errors.ts'
import { findCaller, statusText } from '../routing/route.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether an invalid body is ignored instead of refused. */
    misfit?: 'ignored' | undefined
    /** Whether the route reads a JSON body; other bodies are never parsed. */
    readsBody?: boolean
  }
}

/** The only mapping of errors to statuses (http-api 1.3). */
export const STATUS_OF: Record<ErrorCode, number> = {
  bad_request: 400,
  bad_path: 400,
  name_too_long: 400,
  incomplete_body: 400,
  body_too_large: 413,
  unauthorized: 401,
  wrong_credentials: 403,
  token_scope: 403,
  confirm_first: 403,
  second_factor_required: 403,
  second_factor_setup: 403,
  identity_refused: 403,
  too_many_attempts: 429,
  forbidden: 403,
  outside_scope: 403,
  special_file: 403,
  no_home: 403,
  not_found: 404,
  limit_reached: 404,
  link_paused: 403,
  wrong_host: 421,
  method_not_allowed: 405,
  locked: 423,
  no_lock: 409,
  exists: 409,
  is_a_folder: 409,
  not_a_folder: 409,
  precondition_failed: 412,
  range_not_satisfiable: 416,
  wrong_media_type: 415,
  undecodable: 422,
  encrypted: 422,
  wrong_offset: 409,
  checksum_mismatch: 460,
  no_space: 507,
  quota_exceeded: 507,
  no_trash: 409,
  too_far: 409,
  gone: 410,
  changed_since: 409,
  read_only: 403,
  server_refused: 403,
  hook_refused: 422,
  hook_failed: 424,
  no_sandbox: 422,
  not_indexed: 422,
  unavailable: 503,
  provider_unavailable: 503,
  unsupported: 501,
  internal: 500,
}

/** Header with the error code, which our interface translates. */
export const ERROR_CODE_HEADER = 'X-Error-Code'

/** Header with the id of the lock that refuses (http-api 28). */
export const LOCK_HEADER = 'X-Lock'

/** Header with the bytes that still fit into a quota (http-api 37); visitors of links learn nothing of it. */
export const QUOTA_HEADER = 'X-Quota'

/** Header with the directory that refuses a sign-in, or cannot be reached, percent-encoded (http-api 35). */
const PROVIDER_HEADER = 'X-Provider'

/** Header with the reason why it refuses (http-api 35). */
const PROBLEM_HEADER = 'X-Problem'

/** Header with the id under which the log has the failure. */
export const REQUEST_ID_HEADER = 'X-Request-Id'

/** The plain-text body: status and reason, and the cause in brackets where it is disclosed (http-api 1.3). */
export function errorBody(status: number, cause?: string): string {
  const detail = cause ? ` (${cause})` : ''
  return `${statusText(status)}${detail}\n`
}

/** Sends an `AppError`. Unknown errors are logged in full and sent as a bare 500. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = fromFramework(thrown) ?? asAppError(thrown)
  const status = STATUS_OF[error.code]
  noteError(error, status, request, reply)
  const { mounts, bytes } = error
  const details = { ...(mounts && { mounts }), ...(bytes !== undefined && { bytes }) }
  if (acceptsProblem(request)) return reply.type(PROBLEM_TYPE).send(JSON.stringify(problemOf(error, status, details)))
  if (Object.keys(details).length > 0 && request.headers.accept?.includes('application/json'))
    return reply.send({ code: error.code, ...details })
  return reply.type('text/plain; charset=utf-8').send(errorBody(status, causeOf(error)))
}

/** Problem details (RFC 9457), for clients that name the type in `Accept`. */
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

const acceptsProblem = ({ headers }: FastifyRequest): boolean =>
  (headers.accept ?? '')
    .split(',')
    .some(range => /^\s*application\/problem\+json\s*(?:;(?!\s*q=0(?:\.0*)?\s*$)|$)/i.test(range))

/** The error as problem details: `code` as in the header, `detail` where the cause is disclosed. */
function problemOf(error: AppError, status: number, further: object): object {
  const title = statusText(status).slice(`${status} `.length)
  const detail = causeOf(error)
  return { type: 'about:blank', title, status, ...(detail && { detail }), code: error.code, ...further }
}

const roomText = ({ left, itemsLeft }: AppError): string | undefined =>
  left !== undefined ? `left=${left}` : itemsLeft === undefined ? undefined : `items=${itemsLeft}`

/** Sets the status and the headers of an error, and logs a failure of ours. */
export function noteError(error: AppError, status: number, request: FastifyRequest, reply: FastifyReply): void {
  if (status >= 500) {
    request.log.error({ err: error.cause ?? error, code: error.code }, 'request failed')
    reply.header(REQUEST_ID_HEADER, request.id)
  }
  for (const name of STORED_CONTENT_HEADERS) reply.removeHeader(name)
  if (error.wait !== undefined) reply.header('Retry-After', Math.ceil(error.wait / 1000))
  if (error.lock !== undefined) reply.header(LOCK_HEADER, error.lock)
  const room = roomText(error)
  if (room !== undefined && findCaller(request)) reply.header(QUOTA_HEADER, room)
  if (error.provider !== undefined) {
    reply.header(PROVIDER_HEADER, encodeURIComponent(error.provider))
    reply.header(PROBLEM_HEADER, error.code === 'identity_refused' ? error.message : 'away')
  }
  reply.code(status).header(ERROR_CODE_HEADER, error.code)
}

/** The contract discloses it for 400; users must also learn why a host that allows programs runs none. */
function causeOf({ code, message }: AppError): string | undefined {
  const isDisclosed = STATUS_OF[code] === 400 || code === 'no_sandbox'
  return isDisclosed && message !== code ? message : undefined
}

/** Headers a handler may have set before its content failed. */
const STORED_CONTENT_HEADERS = ['content-disposition', 'content-length', 'etag', 'last-modified', 'accept-ranges']

/** Errors that the HTTP library raises before a handler runs. */
export function fromFramework(thrown: unknown): AppError | undefined {
  if (thrown instanceof AppError) return thrown
  const { code, statusCode } = thrown as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('body_too_large')
  if (code === 'FST_ERR_BAD_URL') return new AppError('bad_path', 'malformed')
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY') return new AppError('bad_request', 'body: is not JSON')
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new AppError('bad_request', 'malformed request', { cause: thrown })
  }
  return undefined
}
