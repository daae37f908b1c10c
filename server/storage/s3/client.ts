import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { S3Address, S3Credentials } from './address.ts'
import type { ListPage, PageOptions } from './page.ts'
import { connectionError, isTransient, refused } from './s3-errors.ts'
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
  /** Milliseconds without a byte after which a request is given up. */
  patience?: number
}

export interface S3Response {
  headers: IncomingMessage['headers']
  body: Buffer
}

/** What answers requests for the objects of a bucket. */
export interface ObjectStore {
  readonly bucket: string
  /** Reads the whole response. @throws AppError; see `refused` */
  ask(request: S3Request): Promise<S3Response>
  /** As `ask`, for a streamed response; the caller reads or destroys it. */
  open(request: S3Request): Promise<IncomingMessage>
  /** A URL at which anyone can get an object for a number of seconds. */
  presign(key: string, query: Readonly<Record<string, string>>, seconds: number): string
  /** A page of keys; only where those are not what the bucket itself lists. */
  list?(prefix: string, how: PageOptions): Promise<ListPage>
}

/** Milliseconds before each retry. */
const PAUSES = [100, 300, 900]
const PATIENCE = 20_000
/** Maximum number of connections. */
const SOCKETS = 128
const EMPTY = Buffer.alloc(0)

/** A client of one bucket. Bodies are sent whole, so that a request can be retried. */
export class S3Client implements ObjectStore {
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

  /**
   * Sends a request, retries after transient failures, and reads the whole response. @throws AppError; see `refused`
   */
  ask(request: S3Request): Promise<S3Response> {
    return this.#trying(async () => {
      const response = await this.#openOnce(request)
      const body = await buffer(response)
      // A long operation may respond with 200 before it fails.
      if (request.method !== 'GET' && body.includes('<Error>')) throw refused(textIn(body.toString(), 'Code'), 500)
      return { headers: response.headers, body }
    })
  }

  open(request: S3Request): Promise<IncomingMessage> {
    return this.#trying(() => this.#openOnce(request))
  }

  async #trying<T>(act: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await act()
      } catch (thrown) {
        const error = connectionError(thrown)
        const wait = PAUSES[attempt]
        if (wait === undefined || !isTransient(error)) throw error
        await pause(wait * (0.5 + Math.random()))
      }
    }
  }

  async #openOnce(request: S3Request): Promise<IncomingMessage> {
    const response = await this.#sendOnce(request)
    const { statusCode = 0 } = response
    if (statusCode >= 200 && statusCode < 300) return response
    const xml = (await buffer(response)).toString()
    throw refused(textIn(xml, 'Code'), statusCode)
  }

  presign(key: string, query: Readonly<Record<string, string>>, seconds: number): string {
    const target = this.#target({ method: 'GET', key, query })
    const signer = { ...this.#address, ...this.#credentials }
    return `${this.#endpoint.origin}${target.path}?${presignedQuery(signer, target, seconds, new Date())}`
  }

  close(): void {
    this.#agent.destroy()
  }

  #sendOnce(request: S3Request): Promise<IncomingMessage> {
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
      const start = this.#endpoint.protocol === 'https:' ? requestHttps : requestHttp
      const sent = start(options, response => {
        // The reader of the stream handles the error.
        response.on('error', () => {})
        resolve(response)
      })
      sent.on('timeout', () =>
        sent.destroy(Object.assign(new Error('the store does not respond'), { name: 'TimeoutError' })),
      )
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

/** @throws AppError when the response lacks a header that every store sends */
export function demandHeader(headers: IncomingMessage['headers'], name: string): string {
  const value = headers[name]
  if (typeof value !== 'string') throw new AppError('unavailable', `the store sent no ${name}`)
  return value
}
