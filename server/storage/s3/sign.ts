import { createHash, createHmac } from 'node:crypto'
import type { S3Address, S3Credentials } from './address.ts'

/** A request to sign, with everything encoded as it is sent. */
export interface Signable {
  method: string
  /** Percent-encoded. */
  path: string
  query: Readonly<Record<string, string>>
  /** Names in lower case, including `host`. */
  headers: Readonly<Record<string, string>>
}

type Signer = Pick<S3Address, 'region'> & S3Credentials

const ALGORITHM = 'AWS4-HMAC-SHA256'
const UNSIGNED = 'UNSIGNED-PAYLOAD'

/**
 * The headers that sign a request (AWS Signature Version 4), including the digest of the body, which the store
 * verifies.
 */
export function signedHeaders(signer: Signer, request: Signable, body: Buffer, now: Date): Record<string, string> {
  const [moment, digest] = [momentOf(now), sha256(body)]
  const token: Record<string, string> = signer.sessionToken ? { 'x-amz-security-token': signer.sessionToken } : {}
  const headers = { ...request.headers, 'x-amz-content-sha256': digest, 'x-amz-date': moment, ...token }
  const names = namesIn(headers)
  const signature = signatureOf(signer, { ...request, headers }, digest, moment)
  const credential = `${signer.accessKey}/${scopeOf(signer, moment)}`
  const authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
  return { ...headers, authorization }
}

/**
 * The query of a presigned URL.
 * @param seconds validity
 */
export function presignedQuery(signer: Signer, request: Signable, seconds: number, now: Date): string {
  const moment = momentOf(now)
  const query = {
    ...request.query,
    'X-Amz-Algorithm': ALGORITHM,
    'X-Amz-Credential': `${signer.accessKey}/${scopeOf(signer, moment)}`,
    'X-Amz-Date': moment,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': namesIn(request.headers),
    ...(signer.sessionToken && { 'X-Amz-Security-Token': signer.sessionToken }),
  }
  const signature = signatureOf(signer, { ...request, query }, UNSIGNED, moment)
  return `${queryText(query)}&X-Amz-Signature=${signature}`
}

/** A query in the canonical order and encoding of signatures. */
export function queryText(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
  return pairs.sort().join('&')
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
export function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function signatureOf(signer: Signer, request: Signable, digest: string, moment: string): string {
  const { method, path, query, headers } = request
  const lines = sorted(headers).map(([name, value]) => `${name}:${value.trim()}\n`)
  const canonical = [method, path, queryText(query), lines.join(''), namesIn(headers), digest].join('\n')
  const text = [ALGORITHM, moment, scopeOf(signer, moment), sha256(canonical)].join('\n')
  const steps = [...scopeOf(signer, moment).split('/'), text]
  return steps.reduce<string | Buffer>((key, step) => hmac(key, step), `AWS4${signer.secretKey}`).toString('hex')
}

const scopeOf = ({ region }: Signer, moment: string) => `${moment.slice(0, 8)}/${region}/s3/aws4_request`

const namesIn = (headers: Signable['headers']) =>
  sorted(headers)
    .map(([name]) => name)
    .join(';')

const sorted = (headers: Signable['headers']) => Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1))

/** `20261121T230000Z` */
const momentOf = (now: Date) => now.toISOString().replace(/[-:]|\.\d+/g, '')

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
