import type { Db } from '../../db/schema.ts'
import { sealingKey, storedSealingKey } from '../settings/settings.store.ts'
import { isSealed, keyIdIn, Seal, unopened } from './seal.ts'

export interface SecretsConfig {
  /** 32 bytes; without it, a key in the database. */
  secretKey?: Buffer | undefined
}

/** Secrets that the database keeps sealed: with the key of the host, else with one in the database. */
export class Secrets {
  readonly #db: Db
  readonly #config: SecretsConfig
  readonly #known = new Map<string, Seal>()

  constructor(db: Db, config: SecretsConfig = {}) {
    this.#db = db
    this.#config = config
    if (config.secretKey) this.#note(config.secretKey)
  }

  /** @param row table and key of the row that keeps it */
  async seal(text: string, row: string): Promise<string> {
    // Not kept: another database may have been restored in the meantime.
    const key = this.#config.secretKey ?? bytesOf(await sealingKey(this.#db))
    return this.#note(key).seal(text, row)
  }

  /**
   * Opens a text for its row. One that was stored before its kind was sealed is returned as it is.
   * @throws AppError `unavailable` when no known key opens it
   */
  async open(text: string, row: string): Promise<string> {
    if (!isSealed(text)) return text
    const id = keyIdIn(text)
    const seal = this.#known.get(id) ?? (await this.#fromDatabase(id))
    if (!seal) throw unopened()
    return seal.open(text, row)
  }

  /** Another process may have made the key in the database since the last look. */
  async #fromDatabase(id: string): Promise<Seal | undefined> {
    const stored = await storedSealingKey(this.#db)
    if (stored) this.#note(bytesOf(stored))
    return this.#known.get(id)
  }

  #note(key: Buffer): Seal {
    const seal = new Seal(key)
    this.#known.set(seal.id, seal)
    return seal
  }
}

const bytesOf = (stored: Buffer) => stored.subarray(0, 32)

/** The rows whose secrets are sealed, as `Secrets` names them. */
export const ROWS = {
  totp: (userId: number) => `totp:${userId}`,
  session: (id: string) => `session:${id}`,
  flow: (id: string) => `flow:${id}`,
} as const
