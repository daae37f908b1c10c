import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { S3Address, S3Credentials } from './address.ts'
import { isPassing, refused, unanswered } from './s3-errors.ts'
import { escaped, presignedQuery, queryText, type Signable, signedHeaders } from './sign.ts'
import { textIn } from './xml.ts'

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** `''` for the bucket itself. */
  key?: string
  query?: Readonly<Record<string, string>>
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>>
  body?: Buffer
  /** Milliseconds without a byte after which nothing is expected any more. */
  patience?: number
}

export interface S3Answer {
  headers: IncomingMessage['headers']
  body: Buffer
}

/** Milliseconds before each further attempt. */
const PAUSES = [100, 300, 900]
const PATIENCE = 20_000
/** Connections at once. */
const SOCKETS = 128
const EMPTY = Buffer.alloc(0)

/** Speaks to one bucket. Bodies are sent whole, so that a request can be sent again. */
export class S3Client {
  readonly #address: S3Address
  readonly #credentials: S3Credentials
  readonly #endpoint: URL
  readonly #agent: HttpAgent

  constructor(address: S3Address, credentials: S3Credentials) {
    this.#address = address
    this.#credentials = credentials
    this.#endpoint = new URL(address.endpoint)
    const Agent = this.#endpoint.protocol === 'https:' ? HttpsAgent : HttpAgent
    this.#agent = new Agent({ keepAlive: true, maxSockets: SOCKETS })
  }

  get bucket(): string {
    return this.#address.bucket
  }

  /** Asks, again when something passing is in the way, and reads the whole answer. @throws AppError; see `refused` */
  ask(request: S3Request): Promise<S3Answer> {
    return this.#trying(async () => {
      const answer = await this.#openOnce(request)
      const body = await buffer(answer)
      // A long deed may answer 200 before it fails.
      if (request.method !== 'GET' && body.includes('<Error>')) throw refused(textIn(body.toString(), 'Code'), 500)
      return { headers: answer.headers, body }
    })
  }

  /** The same for an answer that is read as it comes; the caller reads or destroys it. */
  open(request: S3Request): Promise<IncomingMessage> {
    return this.#trying(() => this.#openOnce(request))
  }

  async #trying<T>(act: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await act()
      } catch (thrown) {
        const error = unanswered(thrown)
        const wait = PAUSES[attempt]
        if (wait === undefined || !isPassing(error)) throw error
        await pause(wait * (0.5 + Math.random()))
      }
    }
  }

  async #openOnce(request: S3Request): Promise<IncomingMessage> {
    const answer = await this.#send(request)
    const { statusCode = 0 } = answer
    if (statusCode >= 200 && statusCode < 300) return answer
    const xml = (await buffer(answer)).toString()
    throw refused(textIn(xml, 'Code'), statusCode)
  }

  /** An address at which anybody can get an object for so many seconds. */
  presign(key: string, query: Readonly<Record<string, string>>, seconds: number): string {
    const target = this.#target({ method: 'GET', key, query })
    const signer = { ...this.#address, ...this.#credentials }
    return `${this.#endpoint.origin}${target.path}?${presignedQuery(signer, target, seconds, new Date())}`
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(request: S3Request): Promise<IncomingMessage> {
    const { body = EMPTY, patience = PATIENCE } = request
    const target = this.#target(request)
    const headers = signedHeaders({ ...this.#address, ...this.#credentials }, target, body, new Date())
    const options: RequestOptions = {
      method: target.method,
      hostname: this.#endpoint.hostname.replace(/^\[|\]$/g, ''),
      port: this.#endpoint.port,
      path: Object.keys(target.query).length > 0 ? `${target.path}?${queryText(target.query)}` : target.path,
      headers: { ...headers, ...(request.method !== 'GET' && request.method !== 'HEAD' && lengthOf(body)) },
      agent: this.#agent,
      timeout: patience,
    }
    return new Promise((resolve, reject) => {
      const ask = this.#endpoint.protocol === 'https:' ? requestHttps : requestHttp
      const sent = ask(options, answer => {
        // Whoever reads it hears of it; nobody else needs to.
        answer.on('error', () => {})
        resolve(answer)
      })
      sent.on('timeout', () => sent.destroy(Object.assign(new Error('the store is silent'), { name: 'TimeoutError' })))
      sent.on('error', reject)
      sent.end(body)
    })
  }

  #target({ method, key = '', query = {}, headers = {} }: S3Request): Signable {
    const { bucket, inPath } = this.#address
    const names = [...(inPath ? [bucket] : []), ...(key === '' ? [] : key.split('/'))]
    const path = `${this.#endpoint.pathname.replace(/\/$/, '')}/${names.map(escaped).join('/')}`
    return { method, path, query, headers: { host: this.#endpoint.host, ...headers } }
  }
}

const lengthOf = (body: Buffer) => ({ 'content-length': String(body.length) })

/** @throws AppError when the answer lacks what every store tells */
export function demandHeader(headers: IncomingMessage['headers'], name: string): string {
  const value = headers[name]
  if (typeof value !== 'string') throw new AppError('unavailable', `the store told no ${name}`)
  return value
}
