import { randomBytes } from 'node:crypto'
import type { PasskeyAssertion, PasskeyAttestation, PasskeyInfo } from '../../../shared/api/passkeys.ts'
import type { Audit } from '../../audit/audit.ts'
import type { PasskeysTable } from '../../db/factors-schema.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { findUser } from '../users/users.store.ts'
import { findPasskey, listPasskeys, noteCopy, noteCounter } from './passkeys.store.ts'
import {
  type Challenge,
  creationOptions,
  readAssertion,
  readAttestation,
  requestOptions,
  type Site,
} from './webauthn.ts'

/** A passkey that is being made. */
export interface Enrolment {
  challenge: Challenge
  handle: string
}

export interface PasskeyDeps {
  db: Db
  /** Where a copied passkey is recorded. */
  audit?: Pick<Audit, 'record'>
}

/** Passkeys of users (WebAuthn; http-api 34). The caller makes sure that each challenge counts once. */
export class Passkeys {
  readonly #db: Db
  readonly #audit: PasskeyDeps['audit']

  constructor({ db, audit }: PasskeyDeps) {
    this.#db = db
    this.#audit = audit
  }

  async list(userId: number): Promise<PasskeyInfo[]> {
    return (await listPasskeys(this.#db, userId)).map(toInfo)
  }

  /** Whether a user has one that works at a site. */
  async worksAt(userId: number, site: Site): Promise<boolean> {
    return (await this.#usable(userId, site)).length > 0
  }

  /** Begins to make one. @throws AppError `exists` when the user has the most that are allowed */
  async begin(user: { id: number; username: string }, site: Site, issuer: string) {
    const known = await listPasskeys(this.#db, user.id)
    if (known.length >= LIMITS.passkeys) throw new AppError('exists')
    const handle = known[0]?.handle ?? randomBytes(32).toString('base64url')
    const registrant = { username: user.username, handle, issuer, known: known.map(withTransports) }
    const { options, challenge } = await creationOptions(site, registrant)
    return { options, enrolment: { challenge, handle } satisfies Enrolment }
  }

  /** The row of a new passkey. @throws AppError `bad_request` for a response that does not fit the challenge */
  async read(
    userId: number,
    { challenge, handle }: Enrolment,
    given: { label: string; response: PasskeyAttestation },
  ): Promise<PasskeysTable> {
    const found = await readAttestation(challenge, given.response)
    if (!found) throw new AppError('bad_request', 'response: is not accepted')
    return {
      id: randomBytes(16).toString('base64url'),
      user_id: userId,
      credential: found.credential,
      handle,
      rp_id: challenge.rpId,
      public_key: found.publicKey,
      counter: found.counter,
      transports: JSON.stringify(found.transports),
      label: given.label,
      created_at: Date.now(),
      used_at: null,
      copied_at: null,
    }
  }

  /** Asks for any passkey of a site, which signs in alone. */
  ask(site: Site) {
    return requestOptions(site, true, [])
  }

  /** Asks for one of a user, after the password. @returns `undefined` if the user has none for the site */
  async askOf(userId: number, site: Site) {
    const known = await this.#usable(userId, site)
    return known.length === 0 ? undefined : requestOptions(site, false, known.map(withTransports))
  }

  /**
   * Checks the response of an authenticator, and notes its use. A counter that went back marks the passkey, which the
   * audit log has: a copy of it may exist, and it is refused from then on.
   * @param userId whose passkey it must be; any user's by default
   * @returns the id of its user; `undefined` for anything wrong
   */
  async check(challenge: Challenge, given: PasskeyAssertion, userId?: number): Promise<number | undefined> {
    const passkey = await findPasskey(this.#db, given.id)
    if (userId !== undefined && passkey?.user_id !== userId) return undefined
    if (!passkey || passkey.rp_id !== challenge.rpId || passkey.copied_at !== null) return undefined
    const { userHandle } = given.response
    if (userHandle ? userHandle !== passkey.handle : challenge.verifies) return undefined
    const counter = await readAssertion(challenge, given, passkey.public_key)
    if (counter === undefined) return undefined
    if (await noteCounter(this.#db, passkey.id, counter)) return passkey.user_id
    if (await noteCopy(this.#db, passkey.id)) await this.#recordCopy(passkey)
    return undefined
  }

  async #recordCopy({ user_id: userId, label }: PasskeysTable): Promise<void> {
    const who = await findUser(this.#db, userId)
    const how = { outcome: 'done', way: 'server', address: '' } as const
    await this.#audit?.record({ ...how, action: 'factor.change', who, target: `passkey ${label}: copied` })
  }

  async #usable(userId: number, site: Site): Promise<PasskeysTable[]> {
    const own = await listPasskeys(this.#db, userId)
    return own.filter(({ rp_id, copied_at }) => rp_id === site.rpId && copied_at === null)
  }
}

export const toInfo = ({ id, label, rp_id, created_at, used_at, copied_at }: PasskeysTable): PasskeyInfo => ({
  id,
  label,
  site: rp_id,
  created: new Date(created_at).toISOString(),
  used: used_at === null ? null : new Date(used_at).toISOString(),
  copied: copied_at !== null,
})

const withTransports = ({ credential, transports }: PasskeysTable) => ({
  credential,
  transports: JSON.parse(transports) as string[],
})
