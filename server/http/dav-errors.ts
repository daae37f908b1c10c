import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, asAppError, type ErrorCode } from '../errors.ts'
import { FiniteDepthError } from '../features/dav/finite-depth.ts'
import { MemberFailures } from '../features/dav/member-failures.ts'
import { hrefsBelow, response, sendMultistatus, statusElement } from '../features/dav/multistatus.ts'
import { escapeText } from '../features/dav/xml-writer.ts'
import { fromFramework, noteError, STATUS_OF } from './errors.ts'

/** Where RFC 4918 wants another status than the API has. */
const OWN_STATUS: Partial<Record<ErrorCode, number>> = {
  wrong_credentials: 401,
  exists: 412,
  is_a_folder: 405,
  checksum_mismatch: 400,
}

const CHALLENGE = 'Basic realm="Filigree", charset="UTF-8"'
const HINT = 'Sign in with an API token as the password: Settings, Profile, API tokens.'

/** Sends an `AppError` in the form of WebDAV (docs/webdav.md): `D:error` with the code and a sentence. */
export function sendDavError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = fromFramework(thrown) ?? asAppError(thrown)
  if (error instanceof MemberFailures) return sendMembers(error, request, reply)
  const status = statusOf(error.code)
  noteError(error, status, request, reply)
  if (status === 401) challenge(request, reply)
  const message = messageOf(status, error)
  if (request.headers['sec-fetch-mode'] === 'navigate')
    return reply.type('text/plain; charset=utf-8').send(`${message}\n`)
  const about = `<F:code>${error.code}</F:code><F:message>${escapeText(message)}</F:message>`
  return reply
    .type('application/xml; charset=utf-8')
    .send(
      `<?xml version="1.0" encoding="utf-8"?>\n<D:error xmlns:D="DAV:" xmlns:F="urn:filigree">${conditionOf(error, request)}${about}</D:error>\n`,
    )
}

const statusOf = (code: ErrorCode) => OWN_STATUS[code] ?? STATUS_OF[code]

function sendMembers(error: MemberFailures, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteError(error, 207, request, reply)
  const hrefOf = hrefsBelow((request.routeOptions.url ?? '').replace(/\/dav(?:\/\*)?$/, ''))
  const responses = error.members.map(({ path, code }) => response(hrefOf(path, false), statusElement(statusOf(code))))
  return sendMultistatus(reply, responses.join(''))
}

/** The precondition of RFC 4918, 16 that an error is about, for clients. */
function conditionOf(error: AppError, { method, raw }: FastifyRequest): string {
  if (error instanceof FiniteDepthError) return '<D:propfind-finite-depth/>'
  const { code } = error
  if (code === 'no_lock') return '<D:lock-token-matches-request-uri/>'
  if (code !== 'locked') return ''
  const name = method === 'LOCK' ? 'no-conflicting-lock' : 'lock-token-submitted'
  return `<D:${name}><D:href>${escapeText(raw.url ?? '')}</D:href></D:${name}>`
}

/** A browser would keep the credentials for all of this origin: it is not asked for any. */
function challenge(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers['sec-fetch-mode'] !== 'navigate') reply.header('WWW-Authenticate', CHALLENGE)
}

/** The same sentence for every refused sign-in. */
function messageOf(status: number, { code, message }: { code: ErrorCode; message: string }): string {
  if (status === 401) return HINT
  return status >= 500 ? code : message
}
