import {
  AccountMail,
  AccountMailRequest,
  InvitationRequest,
  MailState,
  MailTest,
  MailTestRequest,
  OneTimeLink,
  OneTimeLinkRequest,
} from '../../../shared/api/mail.ts'
import { AppError } from '../../errors.ts'
import { type MailServer, mailAddress, type Sender } from '../../lib/mail-address.ts'
import { LIMITS } from '../../limits.ts'
import { countRows } from '../../outbound/send-queue.store.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { type AddressConfig, publicAddress } from '../../routing/public-address.ts'
import { callerOf, type Route, remark } from '../../routing/route.ts'
import { demandUserIn } from '../users/addressed-user.ts'
import { type ConfirmDeps, checkPasswordOf, confirmCaller } from '../users/confirm-password.ts'
import { demandRate } from '../users/hourly-rate.ts'
import { addressOf, changeAddress, offOf } from './addresses.store.ts'
import { type LinkRouteDeps, linkRoutes } from './link-routes.ts'
import { issueLink } from './links.ts'
import { deadMails } from './mails.store.ts'
import { type ShareMailDeps, shareMailRoute } from './share-routes.ts'
import { switchOffRoutes } from './switch-off-routes.ts'
import { MailError } from './transport.ts'

export interface MailRouteDeps extends LinkRouteDeps, ConfirmDeps, Pick<ShareMailDeps, 'shares'> {
  config: AddressConfig & {
    mail: MailServer | undefined
    mailFrom: Sender | undefined
    requireCurrentPassword: boolean
  }
}

/** Mails that are listed as given up. */
const LISTED = 20

/** Mail (http-api 38). Without a mail server of the host, all but `GET /api/mail` and one-time links answer 404. */
export function mailRoutes(deps: MailRouteDeps): Route[] {
  return [
    stateRoute(deps),
    testRoute(deps),
    ...accountRoutes(deps),
    invitationRoute(deps),
    oneTimeRoute(deps),
    shareMailRoute(deps),
    ...switchOffRoutes(deps),
    ...linkRoutes(deps),
  ]
}

const stateRoute = ({ db, mails, config }: MailRouteDeps): Route => ({
  method: 'GET',
  path: '/api/mail',
  access: 'admin',
  token: 'admin',
  describes: {
    summary: 'Get the state of mail',
    answers: { 200: { text: 'The mail server, what waits, and what was given up.', schema: MailState } },
  },
  async handler(): Promise<MailState> {
    const { mail, mailFrom } = config
    if (!mails.isOn || !mail || !mailFrom) return { on: false, server: '', from: '', waiting: 0, dead: 0, failed: [] }
    const [waiting, dead, failed] = await Promise.all([
      countRows(db, 'mails', { state: 'waiting' }),
      countRows(db, 'mails', { state: 'dead' }),
      deadMails(db, LISTED),
    ])
    const host = mail.host.includes(':') ? `[${mail.host}]` : mail.host
    return {
      ...{ on: true, waiting, dead },
      server: `${host}:${mail.port}`,
      from: mailFrom.name === '' ? mailFrom.address : `${mailFrom.name} <${mailFrom.address}>`,
      failed: failed.map(({ kind, ended_at, reason }) => ({ kind, time: rfc3339(ended_at ?? 0), reason })),
    }
  },
})

const testRoute = (deps: MailRouteDeps): Route => ({
  method: 'POST',
  path: '/api/mail/test',
  access: 'admin',
  token: 'admin',
  records: 'nothing',
  schema: MailTestRequest,
  describes: {
    summary: 'Send a test mail, and wait for the answer of the mail server',
    answers: { 200: { text: 'What the mail server answered, or where sending failed.', schema: MailTest } },
    refuses: [404, 429],
  },
  async handler(request): Promise<MailTest> {
    demandMail(deps)
    const { user } = callerOf(request)
    const address = demandAddress((request.body as MailTestRequest).address)
    await demandRate(deps.db, ['mail', 'test', String(user.id)], LIMITS.mailTests)
    return tryMail(deps.mails, { address, locale: user.locale })
  },
})

/** Sends a test mail. Never rejects for what the mail server says. */
export async function tryMail(
  mails: MailRouteDeps['mails'],
  to: { address: string; locale: string },
): Promise<MailTest> {
  const began = performance.now()
  const ms = () => Math.round(performance.now() - began)
  try {
    const answer = await mails.sendNow({ subject: 'testSubject', before: ['testText'], values: {} }, to)
    return { step: '', answer, ms: ms() }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return { step: error.step, answer: error.message, ms: ms() }
  }
}

function accountRoutes(deps: MailRouteDeps): Route[] {
  const { db, mails } = deps
  return [
    {
      method: 'GET',
      path: '/api/account/mail',
      access: 'user',
      token: 'none',
      describes: {
        summary: 'Get the caller’s mail address',
        answers: { 200: { text: 'The address, and whether mails are wanted.', schema: AccountMail } },
        refuses: [404],
      },
      async handler(request): Promise<AccountMail> {
        demandMail(deps)
        const { address, pending, notices, notices_off: off } = await addressOf(db, callerOf(request).user.id)
        return { address, pending, notices: notices === 1, off: offOf(off) }
      },
    },
    {
      method: 'PUT',
      path: '/api/account/mail',
      access: 'user',
      token: 'none',
      records: 'user.change',
      schema: AccountMailRequest,
      describes: {
        summary: 'Change the caller’s mail address, or which mails are wanted',
        answers: { 204: { text: 'A new address waits for the link that was sent there.' } },
        refuses: [400, 403, 404, 429],
      },
      async handler(request, reply) {
        demandMail(deps)
        const { user } = callerOf(request)
        const { address, notices, off, current_password: password } = request.body as AccountMailRequest
        if (notices !== undefined) await changeAddress(db, user.id, { notices: notices ? 1 : 0 })
        if (off !== undefined) await changeAddress(db, user.id, { notices_off: [...new Set(off)].join(' ') })
        if (address === undefined) remark(request, { action: 'nothing' })
        else {
          await confirmCaller(deps, { request, password })
          remark(request, { target: user.username })
          if (address === '') await changeAddress(db, user.id, { address: '', pending: '' })
          else {
            const pending = demandAddress(address)
            await demandRateFor(deps, user.id, pending)
            await changeAddress(db, user.id, { pending })
            await mails.add({ kind: 'address.verify', userId: user.id, address: pending, data: {} })
          }
        }
        return reply.code(204).send()
      },
    },
  ]
}

const invitationRoute = (deps: MailRouteDeps): Route => ({
  method: 'POST',
  path: '/api/users/:id/invitation',
  access: 'admin',
  token: 'admin',
  records: 'user.change',
  schema: InvitationRequest,
  describes: {
    summary: 'Send a user a link that sets the password of the account',
    answers: { 202: { text: 'The mail waits to be sent.' } },
    refuses: [404, 429],
  },
  async handler(request, reply) {
    demandMail(deps)
    const user = await demandUserIn(deps.db, request)
    remark(request, { target: user.username })
    const { address: typed, current_password: password } = request.body as InvitationRequest
    await checkPasswordOf(deps, { request, password, required: deps.config.requireCurrentPassword })
    const address = demandAddress(typed)
    await demandRateFor(deps, user.id, address)
    const by = callerOf(request).user.username
    await deps.mails.add({ kind: 'invitation', userId: user.id, address, data: { by } })
    return reply.code(202).send()
  },
})

const oneTimeRoute = (deps: MailRouteDeps): Route => ({
  method: 'POST',
  path: '/api/users/:id/one-time-link',
  access: 'admin',
  token: 'none',
  records: 'user.change',
  schema: OneTimeLinkRequest,
  describes: {
    summary: 'Make a link with which a user sets a new password, once',
    path: 'The number of the user.',
    answers: { 201: { text: 'The link, which no other response contains.', schema: OneTimeLink } },
    refuses: [403, 404, 429],
  },
  async handler(request, reply) {
    const user = await demandUserIn(deps.db, request)
    remark(request, { target: user.username })
    const body = request.body as OneTimeLinkRequest
    await confirmCaller(deps, { request, password: body?.current_password })
    if (user.lockPassword || user.isDisabled) throw new AppError('forbidden')
    const expires = rfc3339(Date.now() + LIMITS.resetTime)
    const url = `${publicAddress(request, deps.config)}/login?link#${await issueLink(deps, 'reset', user, '')}`
    return reply
      .code(201)
      .header('Cache-Control', 'no-store')
      .send({ url, expires } satisfies OneTimeLink)
  },
})

/** @throws AppError `not_found` without a mail server */
function demandMail({ mails }: Pick<MailRouteDeps, 'mails'>): void {
  if (!mails.isOn) throw new AppError('not_found')
}

/** @throws AppError `bad_request` */
function demandAddress(text: string): string {
  const address = mailAddress(text)
  if (!address) throw new AppError('bad_request', 'address: is no mail address')
  return address
}

/** Links for one account, and to one address. @throws AppError `too_many_attempts` */
async function demandRateFor({ db }: MailRouteDeps, userId: number, address: string): Promise<void> {
  await demandRate(db, ['mail', 'links', String(userId)], LIMITS.mailsTo)
  await demandRate(db, ['mail', 'to', address.toLowerCase()], LIMITS.mailsTo)
}
