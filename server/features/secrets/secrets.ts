import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { sealingKey, storedSealingKey } from '../settings/settings.store.ts'
import { isSealed, keyIdIn, Seal, unopened } from './seal.ts'
import { SEALED_KINDS, sealedRows } from './sealed-rows.store.ts'

export { ROWS } from './sealed-rows.store.ts'

export interface SecretsConfig {
  /** 32 bytes; without it, a key in the database. */
  secretKey?: Buffer | undefined
  /** Opens what it sealed, and seals nothing. */
  secretKeyBefore?: Buffer | undefined
}

/** What gives a host its own key (docs/two-factor.md). */
const NEW_KEY = [
  'head -c 32 /dev/urandom | base64 > secret-key',
  'FILIGREE_SECRET_KEY_FILE=secret-key filigree',
  'FILIGREE_SECRET_KEY_FILE=secret-key filigree secrets rekey',
]

/** Secrets that the database keeps sealed: with the key of the host, else with one in the database. */
export class Secrets {
  readonly #db: Db
  readonly #config: SecretsConfig
  readonly #known = new Map<string, Seal>()

  constructor(db: Db, config: SecretsConfig = {}) {
    this.#db = db
    this.#config = config
    for (const key of [config.secretKey, config.secretKeyBefore]) if (key) this.#note(key)
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

  /** The same; `undefined` for one that no known key opens. */
  async tryOpen(text: string, row: string): Promise<string | undefined> {
    return this.open(text, row).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'unavailable') return undefined
      throw error
    })
  }

  /** Whether the key is next to what it seals, and whether there are secrets that no known key opens. */
  async findings(): Promise<Finding[]> {
    return [...(await this.#unreadable()), ...(await this.#keyFinding())]
  }

  /** Nothing as long as nothing was sealed: only then a key is made. */
  async #keyFinding(): Promise<Finding[]> {
    if (this.#config.secretKey || !(await storedSealingKey(this.#db))) return []
    return [{ code: 'keyInDatabase', lines: NEW_KEY }]
  }

  /** With their numbers by kind. */
  async #unreadable(): Promise<Finding[]> {
    const counts = new Map<string, number>()
    for (const kind of SEALED_KINDS) {
      for await (const { text, row } of sealedRows(this.#db, kind)) {
        if ((await this.tryOpen(text, row)) === undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1)
      }
    }
    if (counts.size === 0) return []
    const amount = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const what = [...counts].map(([kind, count]) => `${kind}: ${count}`).join(', ')
    return [{ code: 'secretsUnreadable', amount, what, lines: ['filigree secrets rekey'] }]
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
