import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { NewToken, OwnToken, TokenChange, TokenInfo, TokenRequest } from '../../../shared/api/tokens.ts'
import { AppError } from '../../errors.ts'
import { callerOf, parameterOf, type Route, remark } from '../../routing/route.ts'
import { demandUserIn } from '../users/addressed-user.ts'
import { type ConfirmDeps, confirmCaller } from '../users/confirm-password.ts'
import { readTokenRequest, type TokenRequestDeps } from './token-request.ts'
import type { StoredToken } from './tokens.store.ts'
import type { ShownToken, Tokens } from './tokens.ts'

export interface TokenRouteDeps extends ConfirmDeps, TokenRequestDeps {
  tokens: Tokens
  endTokens(userId: number, tokenId?: string): Promise<number>
}

const ID = 'The id of the token.'

/** Personal API tokens: users manage their own, administrators list and end those of others (http-api 25). */
export function tokenRoutes(deps: TokenRouteDeps): Route[] {
  return [...ownRoutes(deps), selfRoute(deps), ...administratorRoutes(deps)]
}

function ownRoutes(deps: TokenRouteDeps): Route[] {
  const { tokens, endTokens } = deps
  return [
    {
      method: 'GET',
      path: '/api/tokens',
      access: 'user',
      token: 'none',
      describes: {
        summary: 'List the caller’s API tokens, the newest first',
        answers: { 200: { text: 'The tokens, without their secrets.', schema: z.array(TokenInfo) } },
      },
      handler: async request => (await tokens.listShown(callerOf(request).user.id)).map(toWire),
    },
    createRoute(deps),
    {
      method: 'PATCH',
      path: '/api/tokens/:id',
      access: 'user',
      token: 'none',
      records: 'token.change',
      schema: TokenChange,
      describes: {
        summary: 'Rename an API token',
        path: ID,
        answers: { 200: { text: 'The token as it is now.', schema: TokenInfo } },
        refuses: [404],
      },
      async handler(request): Promise<TokenInfo> {
        const { label } = request.body as TokenChange
        const shown = await tokens.rename(callerOf(request).user.id, parameterOf(request, 'id'), label)
        remark(request, { target: nameOf(shown.token) })
        return toWire(shown)
      },
    },
    {
      method: 'DELETE',
      path: '/api/tokens/:id',
      access: 'user',
      token: 'none',
      records: 'token.remove',
      describes: {
        summary: 'End an API token',
        path: ID,
        answers: { 204: { text: 'It is refused from now on, and what it began has ended.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        await endOne(deps, request, callerOf(request).user.id, parameterOf(request, 'id'))
        return reply.code(204).send()
      },
    },
    {
      method: 'DELETE',
      path: '/api/tokens',
      access: 'user',
      token: 'none',
      records: 'token.remove',
      describes: {
        summary: 'End all API tokens of the caller',
        answers: { 204: { text: 'They are refused from now on, and what they began has ended.' } },
      },
      async handler(request, reply) {
        await endTokens(callerOf(request).user.id)
        return reply.code(204).send()
      },
    },
  ]
}

const createRoute = (deps: TokenRouteDeps): Route => ({
  method: 'POST',
  path: '/api/tokens',
  access: 'user',
  token: 'none',
  records: 'token.add',
  schema: TokenRequest,
  describes: {
    summary: 'Create an API token',
    answers: {
      201: { text: 'The token with its secret, which no other response contains.', schema: NewToken },
      409: { text: 'The caller has too many tokens.' },
    },
    refuses: [403, 429],
  },
  async handler(request, reply) {
    const { user } = callerOf(request)
    const body = request.body as TokenRequest
    const options = await readTokenRequest(deps, user, body)
    await confirmCaller(deps, { request, password: body.current_password })
    const { token, secret } = await deps.tokens.create(user.id, options)
    remark(request, { target: nameOf(token) })
    return reply
      .code(201)
      .header('Cache-Control', 'no-store')
      .send({
        ...toWire({ token, folders: options.folders.map(({ path }) => path) }),
        token: secret,
      } satisfies NewToken)
  },
})

const selfRoute = ({ tokens }: TokenRouteDeps): Route => ({
  method: 'GET',
  path: '/api/tokens/self',
  access: 'user',
  token: 'read',
  describes: {
    summary: 'Get the limits of the API token that authenticates the request',
    answers: { 200: { text: 'The token, without its secret.', schema: OwnToken }, 404: { text: 'It is a session.' } },
  },
  async handler(request): Promise<OwnToken> {
    const { token, user } = callerOf(request)
    const live = token && (await tokens.find(token.id))
    if (!live) throw new AppError('not_found')
    return { ...toWire(live), username: user.username }
  },
})

function administratorRoutes(deps: TokenRouteDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/users/:id/tokens',
      access: 'admin',
      token: 'none',
      describes: {
        summary: 'List the API tokens of a user, the newest first',
        answers: { 200: { text: 'The tokens, without their secrets.', schema: z.array(TokenInfo) } },
        refuses: [404],
      },
      handler: async request => (await deps.tokens.listShown((await demandUserIn(deps.db, request)).id)).map(toWire),
    },
    {
      method: 'DELETE',
      path: '/api/users/:id/tokens/:token',
      access: 'admin',
      token: 'none',
      records: 'token.remove',
      describes: {
        summary: 'End an API token of a user',
        path: 'The number of the user, or the id of the token.',
        answers: { 204: { text: 'It is refused from now on, and what it began has ended.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        await endOne(deps, request, (await demandUserIn(deps.db, request)).id, parameterOf(request, 'token'))
        return reply.code(204).send()
      },
    },
  ]
}

/** @throws AppError `not_found` */
async function endOne({ tokens, endTokens }: TokenRouteDeps, request: FastifyRequest, userId: number, id: string) {
  const token = (await tokens.list(userId)).find(known => known.id === id)
  if (!token || (await endTokens(userId, id)) === 0) throw new AppError('not_found')
  remark(request, { target: nameOf(token) })
}

/** A token in the audit log. */
const nameOf = ({ id, label }: StoredToken) => `token:${id} ${label}`

function toWire({ token, folders }: ShownToken): TokenInfo {
  const { id, label, hint, scopes, isConfined, networks, expiresAt, createdAt, usedAt, address, agent } = token
  return {
    id,
    label,
    hint,
    scopes: [...scopes],
    folders: [...folders],
    confined: isConfined,
    networks: [...networks],
    expires: timeOf(expiresAt),
    created: new Date(createdAt).toISOString(),
    used: timeOf(usedAt),
    address,
    agent,
  }
}

const timeOf = (time: number | null) => (time === null ? null : new Date(time).toISOString())
