import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Options of WebAuthn, as far as the authenticator reads them. */
interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
  user?: { id: string }
}

/** What an attacker, or a damaged authenticator, does differently. */
export interface Twist {
  origin?: string
  rpId?: string
  challenge?: string
  /** Whether the user was verified, by a PIN, say. */
  verified?: boolean
  counter?: number
  signature?: string
  userHandle?: string | null
  fmt?: 'none' | 'packed'
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** An authenticator in software with one passkey (ES256), for the site at an origin. */
export class Authenticator {
  readonly #origin: string
  readonly #key: KeyObject
  readonly #point: { x: Buffer; y: Buffer }
  readonly id = randomBytes(32)
  counter = 0
  /** Of the account that it belongs to, once it was made. */
  handle = ''

  constructor(origin: string) {
    this.#origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    this.#point = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  }

  /** The response to `navigator.credentials.create`. */
  create(options: Options, twist: Twist = {}) {
    this.handle = options.user?.id ?? ''
    const credential = Buffer.concat([Buffer.alloc(16), uint16(this.id.length), this.id, this.#coseKey()])
    const authData = Buffer.concat([this.#head(twist.rpId ?? options.rp?.id ?? '', HAS_CREDENTIAL, twist), credential])
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...['fmt', twist.fmt ?? 'none', 'attStmt'].map(text),
      Buffer.from([0xa0]),
      text('authData'),
      bytes(authData),
    ])
    return this.#respond({
      clientDataJSON: this.#clientData('webauthn.create', options, twist),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The response to `navigator.credentials.get`. Each one counts. */
  get(options: Options, twist: Twist = {}) {
    this.counter += 1
    const authData = this.#head(twist.rpId ?? options.rpId ?? '', 0, { counter: this.counter, ...twist })
    const clientDataJSON = this.#clientData('webauthn.get', options, twist)
    const clientHash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signature = sign('sha256', Buffer.concat([authData, clientHash]), this.#key).toString('base64url')
    return this.#respond({
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: twist.signature ?? signature,
      userHandle: twist.userHandle === undefined ? this.handle : twist.userHandle,
    })
  }

  #respond<T>(response: T) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #head(rpId: string, more: number, { verified = true, counter = 0 }: Twist): Buffer {
    const flags = PRESENT | (verified ? VERIFIED : 0) | more
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count])
  }

  #clientData(type: string, options: Options, { origin = this.#origin, challenge = options.challenge }: Twist): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
  }

  /** The public key in CBOR: EC2, ES256, P-256. */
  #coseKey(): Buffer {
    const { x, y } = this.#point
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21])
    return Buffer.concat([head, bytes(x), Buffer.from([0x22]), bytes(y)])
  }
}

/** A text in CBOR, of less than 24 bytes. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

/** Bytes in CBOR, at least 24 of them. */
function bytes(value: Buffer): Buffer {
  const head = value.length < 256 ? Buffer.from([0x58, value.length]) : Buffer.from([0x59, ...uint16(value.length)])
  return Buffer.concat([head, value])
}

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16BE(value)
  return buffer
}
