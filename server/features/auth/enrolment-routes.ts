import type { FastifyReply, FastifyRequest } from 'fastify'
import { EnrolCode, Enrolled, EnrolTotp } from '../../../shared/api/enrolment.ts'
import { NewPasskey, PasskeyOptions, PasskeyTicket } from '../../../shared/api/passkeys.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { type Route, remark } from '../../routing/route.ts'
import { unstored } from '../factors/routes.ts'
import { siteOf } from '../factors/site.ts'
import { otpauthOf } from '../factors/totp.ts'
import { readSettings } from '../settings/settings.store.ts'
import type { StoredUser } from '../users/users.store.ts'
import { deviceOf } from './client-info.ts'
import { sessionCookie } from './cookie.ts'
import { type Enrolling, issueEnrolment, takeEnrolment } from './enrolment.ts'
import { type SecondStepDeps, TICKET_HEADER } from './second-step.ts'
import type { Sessions } from './sessions.ts'

export interface EnrolmentRouteDeps extends SecondStepDeps {
  sessions: Sessions
  endSessions(userId: number, which: { planned: boolean }): Promise<void>
}

const ENDED = { text: 'The ticket has ended.' }
const AGAIN = { [TICKET_HEADER]: 'The ticket for another attempt.' }
const ENROLLED = {
  text: 'The factor counts, and the sign-in is complete. The other sessions of the user have ended.',
  schema: Enrolled,
  headers: { 'Set-Cookie': 'The token again, for links that the browser opens.' },
}

/** Users under the duty set up a second factor as part of the sign-in (http-api 34). */
export function enrolmentRoutes(deps: EnrolmentRouteDeps): Route[] {
  return [totpRoute(deps), codeRoute(deps), optionsRoute(deps), passkeyRoute(deps)]
}

const totpRoute = (deps: EnrolmentRouteDeps): Route => ({
  method: 'POST',
  path: '/api/login/enrol/totp',
  access: 'public',
  records: 'nothing',
  schema: PasskeyTicket,
  describes: {
    summary: 'Begin to set up an authenticator app during a sign-in',
    answers: {
      200: { text: 'The secret for the app, and the ticket for its first code.', schema: EnrolTotp },
      403: ENDED,
    },
  },
  async handler(request, reply) {
    const { enrolling, user } = await takeEnrolment(deps, request)
    const secret = await deps.factors.begin(user.id)
    const address = otpauthOf({ secret, issuer: await issuerOf(deps), username: user.username })
    const ticket = await issueEnrolment(deps, enrolling)
    return unstored(reply).send({ ticket, secret, address } satisfies EnrolTotp)
  },
})

const codeRoute = (deps: EnrolmentRouteDeps): Route => ({
  method: 'POST',
  path: '/api/login/enrol/totp/confirm',
  access: 'public',
  records: 'factor.add',
  schema: EnrolCode,
  describes: {
    summary: 'Complete a sign-in with the first code of a new authenticator app',
    answers: { 200: ENROLLED, 400: { text: 'The code is wrong.', headers: AGAIN }, 403: ENDED },
  },
  async handler(request, reply) {
    remark(request, { target: 'totp' })
    const { enrolling, user } = await takeEnrolment(deps, request)
    const { code } = request.body as EnrolCode
    const confirm = () => deps.factors.confirm(user.id, code)
    return complete(deps, [request, reply], { enrolling, user, second: 'totp' }, confirm)
  },
})

const optionsRoute = (deps: EnrolmentRouteDeps): Route => ({
  method: 'POST',
  path: '/api/login/enrol/passkey/options',
  access: 'public',
  records: 'nothing',
  schema: PasskeyTicket,
  describes: {
    summary: 'Begin to make a passkey during a sign-in',
    answers: {
      200: { text: 'What the browser needs, and the ticket for the next call.', schema: PasskeyOptions },
      400: { text: 'Browsers refuse passkeys at this address.', headers: AGAIN },
      403: ENDED,
    },
  },
  async handler(request, reply) {
    const { enrolling, user } = await takeEnrolment(deps, request)
    const site = siteOf(request, deps.config)
    if (!site) {
      reply.header(TICKET_HEADER, await issueEnrolment(deps, enrolling))
      throw new AppError('bad_request', 'passkeys need HTTPS and a host name')
    }
    const { options, enrolment } = await deps.factors.passkeys.begin(user, site, await issuerOf(deps))
    const ticket = await issueEnrolment(deps, { ...enrolling, passkey: enrolment })
    return unstored(reply).send({ ticket, options: { ...options } } satisfies PasskeyOptions)
  },
})

const passkeyRoute = (deps: EnrolmentRouteDeps): Route => ({
  method: 'POST',
  path: '/api/login/enrol/passkey',
  access: 'public',
  records: 'factor.add',
  bodyLimit: LIMITS.passkeyBody,
  schema: NewPasskey,
  describes: {
    summary: 'Complete a sign-in with a new passkey',
    answers: { 200: ENROLLED, 400: { text: 'The passkey is not accepted.', headers: AGAIN }, 403: ENDED },
    refuses: [409],
  },
  async handler(request, reply) {
    const { label, response } = request.body as NewPasskey
    remark(request, { target: `passkey ${label}` })
    const { enrolling, user } = await takeEnrolment(deps, request)
    const add = async () => {
      if (!enrolling.passkey) throw new AppError('bad_request', 'response: is not accepted')
      return (await deps.factors.addPasskey(user.id, enrolling.passkey, { label, response })).codes
    }
    return complete(deps, [request, reply], { enrolling, user, second: 'passkey' }, add)
  },
})

/** Adds the factor and starts the session. After a refusal the header has another ticket. */
async function complete(
  deps: EnrolmentRouteDeps,
  [request, reply]: [FastifyRequest, FastifyReply],
  { enrolling, user, second }: { enrolling: Enrolling; user: StoredUser; second: 'totp' | 'passkey' },
  add: () => Promise<string[]>,
): Promise<FastifyReply> {
  const { passkey: _, ...rest } = enrolling
  const codes = await add().catch(async (error: unknown) => {
    reply.header(TICKET_HEADER, await issueEnrolment(deps, rest))
    throw error
  })
  await deps.endSessions(user.id, { planned: false })
  const token = await deps.sessions.start(user, deviceOf(request), { ...enrolling.start, second })
  const cookie = sessionCookie(token, deps.config.baseURL, request.protocol === 'https')
  return unstored(reply)
    .header('Set-Cookie', cookie)
    .send({ token, codes } satisfies Enrolled)
}

const issuerOf = async ({ db }: EnrolmentRouteDeps) => (await readSettings(db)).branding.name || 'Filigree'
