import { randomBytes } from 'node:crypto'
import type { FactorStatus } from '../../../shared/api/factors.ts'
import type { MadePasskey, PasskeyAttestation } from '../../../shared/api/passkeys.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { ROWS, type Secrets } from '../secrets/secrets.ts'
import { listDevices } from './devices.store.ts'
import {
  confirmTotp,
  countRecoveryCodes,
  deleteFactors,
  deleteTotp,
  findTotp,
  hasFactor,
  replaceRecoveryCodes,
  storePending,
  takeRecoveryCode,
  takeStep,
} from './factors.store.ts'
import { deletePasskey, insertPasskey } from './passkeys.store.ts'
import { type Enrolment, type PasskeyDeps, Passkeys, toInfo } from './passkeys.ts'
import { hashOfCode, newRecoveryCodes } from './recovery-codes.ts'
import { codeIn, fromBase32, SECRET_BYTES, stepOf, toBase32 } from './totp.ts'

/** What proved the second step of a sign-in. */
export type Proof = 'totp' | 'recovery' | 'passkey'

export interface FactorDeps extends PasskeyDeps {
  secrets: Secrets
}

/** Second factors of users: an authenticator app (TOTP, RFC 6238), passkeys, and recovery codes (http-api 30, 34). */
export class Factors {
  readonly passkeys: Passkeys
  readonly #db: Db
  readonly #secrets: Secrets

  constructor({ secrets, ...deps }: FactorDeps) {
    this.#db = deps.db
    this.#secrets = secrets
    this.passkeys = new Passkeys(deps)
  }

  async status(userId: number): Promise<Omit<FactorStatus, 'due' | 'password' | 'hasPassword'>> {
    const totp = await findTotp(this.#db, userId)
    const isOn = totp !== undefined && totp.confirmed_at > 0
    return {
      totp: isOn ? new Date(totp.confirmed_at).toISOString() : null,
      recoveryCodes: await countRecoveryCodes(this.#db, userId),
      passkeys: await this.passkeys.list(userId),
      devices: (await listDevices(this.#db, userId)).map(({ id, agent, address, used_at, expires_at }) => ({
        id,
        agent,
        address,
        used: new Date(used_at).toISOString(),
        expires: new Date(expires_at).toISOString(),
      })),
    }
  }

  /** Whether the password alone does not sign a user in. */
  async isOn(userId: number): Promise<boolean> {
    return hasFactor(this.#db, userId)
  }

  /** Whether a user has an authenticator app. */
  async hasApp(userId: number): Promise<boolean> {
    return ((await findTotp(this.#db, userId))?.confirmed_at ?? 0) > 0
  }

  /** Starts setting an app up. @returns its secret in base32 @throws AppError `exists` when there is one */
  async begin(userId: number): Promise<string> {
    const secret = toBase32(randomBytes(SECRET_BYTES))
    const sealed = await this.#secrets.seal(secret, ROWS.totp(userId))
    if (!(await storePending(this.#db, userId, sealed))) throw new AppError('exists')
    return secret
  }

  /**
   * Turns an app on.
   * @returns new recovery codes; none if the user has some, from a passkey
   * @throws AppError `not_found` when none is being set up, `bad_request` for a wrong code
   */
  async confirm(userId: number, code: string): Promise<string[]> {
    const totp = await findTotp(this.#db, userId)
    if (!totp || totp.confirmed_at > 0) throw new AppError('not_found')
    const step = stepOf(await this.#secretOf(userId, totp.secret), codeIn(code) ?? '', Date.now())
    if (step === undefined) throw new AppError('bad_request', 'code: is wrong')
    return this.#db.transaction().execute(async transaction => {
      const codes = await firstCodes(transaction, userId)
      if (!(await confirmTotp(transaction, totp, step))) throw new AppError('not_found')
      return codes
    })
  }

  /**
   * Adds a passkey.
   * @throws AppError `bad_request` for a response that does not fit, `exists` for a credential that is known
   */
  async addPasskey(
    userId: number,
    enrolment: Enrolment,
    given: { label: string; response: PasskeyAttestation },
  ): Promise<MadePasskey> {
    const passkey = await this.passkeys.read(userId, enrolment, given)
    return this.#db.transaction().execute(async transaction => {
      const codes = await firstCodes(transaction, userId)
      if (!(await insertPasskey(transaction, passkey))) throw new AppError('exists')
      return { passkey: toInfo(passkey), codes }
    })
  }

  /**
   * Removes a passkey, and the recovery codes with the last factor.
   * @param mustKeep whether the user must keep a factor
   * @returns its name
   * @throws AppError `not_found`; `second_factor_setup` for the last factor of a user who must keep one
   */
  async removePasskey(userId: number, id: string, mustKeep: boolean): Promise<string> {
    return this.#db.transaction().execute(async transaction => {
      const label = await deletePasskey(transaction, userId, id)
      if (label === undefined) throw new AppError('not_found')
      await afterRemoval(transaction, userId, mustKeep)
      return label
    })
  }

  /** Removes the app, as `removePasskey` does. */
  async removeApp(userId: number, mustKeep: boolean): Promise<void> {
    await this.#db.transaction().execute(async transaction => {
      if (!(await deleteTotp(transaction, userId))) throw new AppError('not_found')
      await afterRemoval(transaction, userId, mustKeep)
    })
  }

  /**
   * Checks a code of the app, or a recovery code; either counts once.
   * @returns what it was; `undefined` for a wrong or used one
   * @throws AppError `unavailable` when the secret of the app cannot be opened
   */
  async check(userId: number, text: string): Promise<Proof | undefined> {
    const code = codeIn(text)
    if (code === undefined) {
      return (await takeRecoveryCode(this.#db, userId, hashOfCode(text))) ? 'recovery' : undefined
    }
    return (await this.checkApp(userId, code)) ? 'totp' : undefined
  }

  /** Checks a code of the app alone, which counts once. @throws AppError as `check` */
  async checkApp(userId: number, text: string): Promise<boolean> {
    const code = codeIn(text)
    const totp = await findTotp(this.#db, userId)
    if (code === undefined || !totp || totp.confirmed_at === 0) return false
    const step = stepOf(await this.#secretOf(userId, totp.secret), code, Date.now())
    return step !== undefined && (await takeStep(this.#db, userId, step))
  }

  /** Replaces the recovery codes. @throws AppError `not_found` without a second factor */
  async renewCodes(userId: number): Promise<string[]> {
    if (!(await this.isOn(userId))) throw new AppError('not_found')
    const codes = newRecoveryCodes()
    await this.#db
      .transaction()
      .execute(transaction => replaceRecoveryCodes(transaction, userId, codes.map(hashOfCode)))
    return codes
  }

  /** Removes every factor of a user. @returns whether there was one */
  async reset(userId: number): Promise<boolean> {
    return this.#db.transaction().execute(transaction => deleteFactors(transaction, userId))
  }

  async #secretOf(userId: number, sealed: string): Promise<Buffer> {
    return fromBase32(await this.#secrets.open(sealed, ROWS.totp(userId)))
  }
}

/** The recovery codes that come with the first factor of a user; none with a further one. */
async function firstCodes(db: Db, userId: number): Promise<string[]> {
  if (await hasFactor(db, userId)) return []
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(db, userId, codes.map(hashOfCode))
  return codes
}

/** Recovery codes count as long as there is a factor that they can replace. */
async function afterRemoval(db: Db, userId: number, mustKeep: boolean): Promise<void> {
  if (await hasFactor(db, userId)) return
  if (mustKeep) throw new AppError('second_factor_setup')
  await replaceRecoveryCodes(db, userId, [])
}
