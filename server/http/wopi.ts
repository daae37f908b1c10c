import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Context } from '../context.ts'
import { AppError, asAppError, type ErrorCode } from '../errors.ts'
import type { Office } from '../features/office/office.ts'
import { proofOf } from '../features/office/proof.ts'
import { setOpened } from '../features/office/wopi-request.ts'
import { wopiRoutes } from '../features/office/wopi-routes.ts'
import { membership } from '../lib/networks.ts'
import { parameterOf, queryOf, setCaller } from '../routing/route.ts'
import { acceptRaw } from './body.ts'
import { fromFramework, noteError, STATUS_OF } from './errors.ts'
import type { TokenRequests } from './token-requests.ts'

/**
 * Mounts WOPI below a base URL, for the office editor of the host: a protocol of its own, with its own gate and errors, which
 * the description of the API leaves out (docs/office.md).
 */
export function mountWopi(scope: FastifyInstance, context: Context, office: Office, running: TokenRequests): void {
  acceptRaw(scope)
  scope.setErrorHandler(sendWopiError)
  const gate = wopiGate(context, office, running)
  for (const route of wopiRoutes({ ...context, office })) {
    const { method, path: url, handler } = route
    scope.route({ method: [method].flat(), url, onRequest: gate, config: { route }, handler })
  }
  const refuse = () => Promise.reject(new AppError('not_found'))
  scope.route({ method: ['GET', 'POST', 'PUT', 'DELETE'], url: '/wopi/*', handler: refuse })
}

/**
 * The access gate of WOPI: the token in the address says which file, which user and which session; that the request comes
 * from the editor, its signature or its network says. Cookies and `X-Auth` count for nothing here.
 */
function wopiGate(
  { sessions, config }: Pick<Context, 'sessions' | 'config'>,
  office: Office,
  running: TokenRequests,
): onRequestAsyncHookHandler {
  const isEditors = membership(config.officeNetworks)
  return async (request, reply) => {
    if (config.officeNetworks.length > 0 && !isEditors(request.ip)) throw new AppError('forbidden')
    const secret = queryOf(request, 'access_token') ?? ''
    const opened = await office.tokens.find(secret)
    if (!opened || opened.fileId !== parameterOf(request, 'id')) throw new AppError('unauthorized')
    const { sessionId, user, way, token } = await sessions.find({ sessionId: opened.bearer, userId: opened.userId })
    await office.demandProof(proofOf(request, secret, office.callbackOrigin))
    await office.tokens.noteUse(secret, opened)
    setCaller(request, { sessionId, user, way, token })
    setOpened(request, opened)
    if (token) running.add(token.id, reply)
  }
}

/** Where WOPI wants another status than the API has. */
const OWN_STATUS: Partial<Record<ErrorCode, number>> = {
  forbidden: 404,
  outside_scope: 404,
  special_file: 404,
  locked: 409,
  identity_refused: 500,
}

/** Sends an `AppError` without a body. */
function sendWopiError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = fromFramework(thrown) ?? asAppError(thrown)
  const status = OWN_STATUS[error.code] ?? STATUS_OF[error.code]
  noteError(error, status, request, reply)
  reply.removeHeader('content-type')
  if (status === 409) reply.header('X-WOPI-Lock', '')
  if (error.code === 'locked') reply.header('X-WOPI-LockFailureReason', 'Another program has locked the file.')
  return reply.send()
}
