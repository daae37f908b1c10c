import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LIMITS } from '../../limits.ts'

/** The keys with which an editor signs its requests: the present one, and the one before. */
export interface ProofKeys {
  current: KeyObject
  old?: KeyObject
}

/** What an editor has signed. */
export interface Proof {
  token: string
  /** Address as the editor called it, with its query. */
  url: string
  /** 100 ns since the year 1. */
  ticks: bigint
  /** Signatures by the editor's present key, and by the one before. */
  signature: Buffer
  oldSignature: Buffer
}

/** Ticks at the Unix epoch. */
const EPOCH = 621_355_968_000_000_000n
const TICKS = 10_000n

/** A key from modulus and exponent in base64; nothing for others. */
export function proofKey(modulus: string, exponent: string): KeyObject | undefined {
  if (modulus === '' || exponent === '') return undefined
  const base64url = (text: string) => Buffer.from(text, 'base64').toString('base64url')
  try {
    return createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: base64url(modulus), e: base64url(exponent) } })
  } catch {
    return undefined
  }
}

/**
 * The proof of a request; nothing for one without.
 * @param url the address under which the editor reaches this server: never what the request says of it
 */
export function proofOf({ headers, raw }: FastifyRequest, token: string, origin: string): Proof | undefined {
  const { 'x-wopi-proof': signature, 'x-wopi-proofold': old, 'x-wopi-timestamp': time } = headers
  if (typeof signature !== 'string' || typeof time !== 'string' || !/^\d{1,19}$/.test(time)) return undefined
  return {
    token,
    url: `${origin}${raw.url ?? ''}`,
    ticks: BigInt(time),
    signature: Buffer.from(signature, 'base64'),
    oldSignature: Buffer.from(typeof old === 'string' ? old : '', 'base64'),
  }
}

/** Whether a proof is recent, and signed by one of the keys: they may have been exchanged on one of the two sides only. */
export function isProven(proof: Proof, { current, old }: ProofKeys, now = Date.now()): boolean {
  const age = BigInt(now) - (proof.ticks - EPOCH) / TICKS
  const most = BigInt(LIMITS.officeProofAge)
  if (age > most || age < -most) return false
  const message = signedBytes(proof)
  const fits = (key: KeyObject | undefined, signature: Buffer) =>
    key !== undefined && verify('RSA-SHA256', message, key, signature)
  return fits(current, proof.signature) || fits(current, proof.oldSignature) || fits(old, proof.signature)
}

/** The bytes under the signature: token, address in upper case and time, each with its length before it. */
export function signedBytes({ token, url, ticks }: Pick<Proof, 'token' | 'url' | 'ticks'>): Buffer {
  const time = Buffer.alloc(8)
  time.writeBigInt64BE(ticks)
  return Buffer.concat(
    [Buffer.from(token), Buffer.from(url.toUpperCase()), time].flatMap(part => [lengthOf(part), part]),
  )
}

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(part.length)
  return length
}
