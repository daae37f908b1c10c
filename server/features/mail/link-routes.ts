import type { FastifyRequest } from 'fastify'
import { LinkInfo, LinkLook, LinkUse, ResetRequest } from '../../../shared/api/mail.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { type Route, remark } from '../../routing/route.ts'
import type { FlowDeps } from '../auth/flows.store.ts'
import { readSettings } from '../settings/settings.store.ts'
import { changeUser, type UserDeps } from '../users/accounts.ts'
import { demandRate } from '../users/hourly-rate.ts'
import { hashPassword } from '../users/password.ts'
import { checkPassword } from '../users/password-policy.ts'
import { networkOf } from '../users/password-throttle.ts'
import { addressOf, changeAddress } from './addresses.store.ts'
import { findLink, type OpenLink, takeLink } from './links.ts'
import type { Mails } from './mails.ts'
import { languageIn } from './texts.ts'

export interface LinkRouteDeps extends UserDeps, FlowDeps {
  config: { publicURL: string }
  mails: Pick<Mails, 'isOn' | 'add' | 'sendNow'>
  endSessions(userId: number, which?: { planned?: boolean }): Promise<void>
}

/** Forgotten passwords, and the links of mails (http-api 38). Links are in bodies, so that no log has one. */
export function linkRoutes(deps: LinkRouteDeps): Route[] {
  return [resetRoute(deps), lookRoute(deps), followRoute(deps)]
}

const resetRoute = ({ db, mails }: LinkRouteDeps): Route => ({
  method: 'POST',
  path: '/api/password-reset',
  access: 'public',
  records: 'nothing',
  schema: ResetRequest,
  describes: {
    summary: 'Ask for a mail with a link that sets a new password',
    answers: {
      202: { text: 'The same whether there is such an account or not.' },
      429: { text: 'Too many of one network; retry later.', headers: { 'Retry-After': 'Seconds to wait.' } },
    },
    refuses: [404],
  },
  async handler(request, reply) {
    if (!mails.isOn) throw new AppError('not_found')
    await demandRate(db, ['mail', 'reset', networkOf(request.ip)], LIMITS.resetsFrom)
    const { name } = request.body as ResetRequest
    const locale = languageIn(request.headers['accept-language'])
    await mails.add({ kind: 'password.asked', userId: null, data: { name, locale } })
    return reply.code(202).send()
  },
})

const lookRoute = (deps: LinkRouteDeps): Route => ({
  method: 'POST',
  path: '/api/mail-links/look',
  access: 'public',
  records: 'nothing',
  schema: LinkLook,
  describes: {
    summary: 'Look at the link of a mail, without using it',
    answers: {
      200: { text: 'What it is for.', schema: LinkInfo },
      429: {
        text: 'Too many wrong links of one network; retry later.',
        headers: { 'Retry-After': 'Seconds to wait.' },
      },
    },
    refuses: [404],
  },
  async handler(request, reply) {
    const { purpose, user, address } = await demandLink(deps, request, findLink)
    const { minimumPasswordLength } = await readSettings(deps.db)
    const info: LinkInfo = { purpose, username: user.username, address, minimumPasswordLength }
    return reply.header('Cache-Control', 'no-store').send(info)
  },
})

const followRoute = (deps: LinkRouteDeps): Route => ({
  method: 'POST',
  path: '/api/mail-links/use',
  access: 'public',
  records: 'user.change',
  schema: LinkUse,
  describes: {
    summary: 'Use the link of a mail: set a password, or confirm an address',
    answers: {
      204: { text: 'It is done, and the link has ended. It begins no session.' },
      429: {
        text: 'Too many wrong links of one network; retry later.',
        headers: { 'Retry-After': 'Seconds to wait.' },
      },
    },
    refuses: [400, 404],
  },
  async handler(request, reply) {
    const { purpose } = await demandLink(deps, request, findLink)
    if (purpose === 'verify') await confirmAddress(deps, await demandLink(deps, request, takeLink), request)
    else await setPassword(deps, request)
    return reply.code(204).send()
  },
})

async function confirmAddress({ db }: LinkRouteDeps, { user, address }: OpenLink, request: FastifyRequest) {
  remark(request, { who: user, target: user.username })
  // Another address was entered since.
  if ((await addressOf(db, user.id)).pending !== address) throw new AppError('not_found')
  await changeAddress(db, user.id, { address, pending: '' })
}

/** The password is checked before the link is used, so that a refused one does not end it. */
async function setPassword(deps: LinkRouteDeps, request: FastifyRequest): Promise<void> {
  const { password = '' } = request.body as LinkUse
  if (password === '') throw new AppError('bad_request', 'password is empty')
  checkPassword(password, (await readSettings(deps.db)).minimumPasswordLength)
  const passwordHash = await hashPassword(password)
  const { user, purpose, address } = await demandLink(deps, request, takeLink)
  remark(request, { who: user, target: user.username })
  await changeUser(deps, user.id, { passwordHash })
  await deps.endSessions(user.id)
  if (purpose === 'invitation') await changeAddress(deps.db, user.id, { address, pending: '' })
  else await deps.mails.add({ kind: 'password.changed', userId: user.id, address, data: {} })
}

/** @throws AppError `not_found` for a link that opens nothing, `too_many_attempts` after too many of these */
async function demandLink(deps: LinkRouteDeps, request: FastifyRequest, read: typeof findLink): Promise<OpenLink> {
  const found = await read(deps, (request.body as LinkLook).link)
  if (found) return found
  await demandRate(deps.db, ['mail', 'link', networkOf(request.ip)], LIMITS.mailLinkMisses)
  throw new AppError('not_found')
}
