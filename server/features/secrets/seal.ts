import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { AppError } from '../../errors.ts'

const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** Neither a JSON text nor a JWT looks like this. */
const SEALED = /^v1\.([0-9a-f]{8})\./

/** Whether a text is a sealed one, and not one that was stored as it is. */
export const isSealed = (text: string): boolean => SEALED.test(text)

/** The `Seal.id` with which a text was sealed. */
export const keyIdIn = (sealed: string): string => SEALED.exec(sealed)?.[1] ?? ''

/** For what was sealed with an unknown key. */
export const unopened = (): AppError => new AppError('unavailable', 'a secret was sealed with another secretKey')

/**
 * Seals secrets that the database keeps (AES-256-GCM). A sealed text has the form `v1.<key id>.<nonce>.<content>` and
 * opens only for the row for which it was sealed.
 */
export class Seal {
  /** Names the key in what it seals; 8 hexadecimal digits of its SHA-256. */
  readonly id: string
  readonly #key: Buffer

  /** @param key of 32 bytes */
  constructor(key: Buffer) {
    this.#key = key
    this.id = createHash('sha256').update(key).digest('hex').slice(0, 8)
  }

  /** @param row table and key of the row that keeps it */
  seal(text: string, row: string): string {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(row))
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return ['v1', this.id, nonce.toString('base64url'), content.toString('base64url')].join('.')
  }

  /** @throws AppError `unavailable` when it was sealed with another key, or for another row */
  open(sealed: string, row: string): string {
    const [, id, nonce = '', content = ''] = sealed.split('.')
    if (id !== this.id) throw unopened()
    const bytes = Buffer.from(content, 'base64url')
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, Buffer.from(nonce, 'base64url'), { authTagLength: TAG })
      decipher.setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(-TAG))
      return decipher.update(bytes.subarray(0, -TAG), undefined, 'utf8') + decipher.final('utf8')
    } catch (cause) {
      throw new AppError('unavailable', 'a sealed secret is damaged', { cause })
    }
  }
}
