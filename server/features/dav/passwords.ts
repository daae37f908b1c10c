import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { deviceOf } from '../auth/client-info.ts'
import { FactorDuty } from '../auth/factor-duty.ts'
import { type Authenticated, type AuthMethods, currentMethod, startOf } from '../auth/method.ts'
import type { SecondStepDeps } from '../auth/second-step.ts'
import type { LiveSession, Sessions } from '../auth/sessions.ts'
import type { Guess, PasswordThrottle } from '../users/password-throttle.ts'

export interface DavPasswordDeps extends Pick<SecondStepDeps, 'factors'> {
  db: Db
  sessions: Sessions
  throttle: PasswordThrottle
  authMethods: AuthMethods
  config: { davPasswords: boolean }
}

interface Credentials {
  username: string
  password: string
}

interface Known {
  session: Pick<LiveSession, 'sessionId'> & { userId: number }
  /** Of the account, as it was when the password was checked. */
  hash: string
  /** Milliseconds since the epoch. */
  until: number
}

/**
 * The sessions of programs that send a password with each request. The first request starts a session, which its user
 * sees in the list of sessions and can end; the next ones of the same program use it without the slow hash, for a while.
 */
export class DavPasswords {
  readonly #deps: DavPasswordDeps
  /** Passwords are compared by an HMAC under a key of this process; nothing else of them is kept. */
  readonly #key = randomBytes(32)
  readonly #known = new Map<string, Known>()
  readonly #running = new Map<string, Promise<LiveSession>>()

  constructor(deps: DavPasswordDeps) {
    this.#deps = deps
  }

  /** @throws AppError `unauthorized`, `wrong_credentials`, `second_factor_required`, `second_factor_setup`, `too_many_attempts`, `unavailable` */
  async sessionOf(request: FastifyRequest, credentials: Credentials | undefined): Promise<LiveSession> {
    const key = this.#keyOf(request, credentials)
    const known = this.#known.get(key)
    const live = known && (await this.#live(known))
    if (live && known.until > Date.now()) return live
    const running = this.#running.get(key) ?? this.#begin(key, request, credentials, live)
    return running
  }

  #begin(
    key: string,
    request: FastifyRequest,
    credentials: Credentials | undefined,
    live: LiveSession | undefined,
  ): Promise<LiveSession> {
    const running = this.#check(key, request, credentials, live).finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    return running
  }

  async #check(
    key: string,
    request: FastifyRequest,
    credentials: Credentials | undefined,
    live: LiveSession | undefined,
  ): Promise<LiveSession> {
    const { db, authMethods, sessions } = this.#deps
    const { method, settings } = await currentMethod(db, authMethods)
    const isOpen = settings.method === 'noauth'
    // A captcha would be gone round here, and a proxy names its users itself.
    const takesPasswords =
      this.#deps.config.davPasswords && settings.method !== 'proxy' && settings.recaptcha.secret === ''
    if (!isOpen && (!credentials || !takesPasswords)) throw new AppError('unauthorized')
    const { username, password } = credentials ?? { username: '', password: '' }
    const attempt = {
      username,
      password,
      recaptcha: '',
      peer: request.raw.socket.remoteAddress ?? '',
      rawHeaders: request.raw.rawHeaders,
    }
    const judge = async () => {
      const found = await method.authenticate(attempt, settings)
      // Programs cannot ask for a code: users with a second factor give them an API token.
      if (!isOpen && (await this.#deps.factors.isOn(found.id))) throw new AppError('second_factor_required')
      if (!isOpen && (await new FactorDuty(this.#deps.db).isOverdue(found))) throw new AppError('second_factor_setup')
      return found
    }
    const free = await method.freeGuesses?.(username)
    const user = isOpen ? await judge() : await this.#guess(request, { kind: 'dav', subject: username, free }, judge)
    const start = startOf(user, settings.method)
    const session =
      live?.user.id === user.id ? live : await sessions.resolve(await sessions.start(user, deviceOf(request), start))
    this.#remember(key, session)
    return session
  }

  async #guess(
    request: FastifyRequest,
    guess: Omit<Guess, 'address'>,
    judge: () => Promise<Authenticated>,
  ): Promise<Authenticated> {
    const user = await this.#deps.throttle.verify(request, guess, () =>
      judge().catch((thrown: unknown) => {
        if (thrown instanceof AppError && thrown.code === 'wrong_credentials') return undefined
        throw thrown
      }),
    )
    if (!user) throw new AppError('wrong_credentials')
    return user
  }

  #remember(key: string, { sessionId, user }: LiveSession): void {
    this.#known.delete(key)
    const until = Date.now() + LIMITS.davPasswordTime
    this.#known.set(key, { session: { sessionId, userId: user.id }, hash: user.passwordHash, until })
    const [oldest] = this.#known.keys()
    if (this.#known.size > LIMITS.davPasswords && oldest !== undefined) this.#known.delete(oldest)
  }

  /** The session, unless it has ended or the account has another password. */
  async #live({ session, hash }: Known): Promise<LiveSession | undefined> {
    try {
      const live = await this.#deps.sessions.find(session)
      return live.user.passwordHash === hash ? live : undefined
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'unauthorized') return undefined
      throw thrown
    }
  }

  #keyOf(request: FastifyRequest, credentials: Credentials | undefined): string {
    const { address, agent } = deviceOf(request)
    const parts = [credentials?.username ?? null, credentials?.password ?? null, address, agent]
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64')
  }
}
