import { type LookupAddress, lookup as lookUp } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { membership } from '../lib/networks.ts'
import { LIMITS } from '../limits.ts'
import { isPublicAddress } from './addresses.ts'

/** Ports of services that expect requests from the Internet. */
const PUBLIC_PORTS: ReadonlySet<number> = new Set([443, 8443])
/** An answer that is not text ends here, too. */
const DECODER = new TextDecoder()

/** Why a request was not sent, or has no usable response. */
export type OutboundFault = 'address' | 'connection' | 'timeout'

export class OutboundError extends Error {
  readonly fault: OutboundFault

  constructor(fault: OutboundFault, message: string) {
    super(message)
    this.name = 'OutboundError'
    this.fault = fault
  }
}

export interface OutboundRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string
  /** Bytes of the response's body that are read; `outboundAnswer` by default. */
  most?: number
  /** Milliseconds for the request with its response; `outboundTime` by default. */
  time?: number
  /** Ends the request early. */
  signal?: AbortSignal | undefined
}

export interface OutboundResponse {
  status: number
  headers: IncomingMessage['headers']
  /** The beginning of the body, `outboundAnswer` bytes at most unless the request says another number. */
  text: string
}

export interface OutboundOptions {
  /** Private addresses and networks that the host permits as targets. */
  networks: readonly string[]
  /** Names and addresses of targets that the host itself names: they may have private addresses, and any port. */
  named?: readonly string[]
  /** `dns.lookup`, except in tests. */
  lookup?: typeof lookUp
}

/**
 * Requests to other programs. A target is on the Internet and reached by HTTPS at a public port, in a network that the host
 * permits, or named by the host: then at any port, on the Internet still by HTTPS. All addresses of a name are checked as
 * they are resolved for the connection, and the connection's own again: a name may change its addresses. No redirect is
 * followed, no proxy used.
 */
export class Outbound {
  readonly #permitted: (address: string) => boolean
  readonly #named: ReadonlySet<string>
  readonly #lookup: typeof lookUp

  constructor({ networks, named = [], lookup = lookUp }: OutboundOptions) {
    this.#permitted = membership(networks)
    this.#named = new Set(named)
    this.#lookup = lookup
  }

  /** Checks an address before it is stored. @throws AppError `bad_request` with what is wrong */
  async check(address: string): Promise<void> {
    try {
      const url = this.#parse(address)
      await this.#resolved(url)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      if (error.fault === 'address') throw new AppError('bad_request', error.message)
      // Over HTTPS a name may resolve later; it is checked again with each request.
      if (URL.parse(address)?.protocol !== 'https:') {
        throw new AppError('bad_request', 'The name of the address is not known.')
      }
    }
  }

  /** @throws OutboundError */
  async call(request: OutboundRequest): Promise<OutboundResponse> {
    const url = this.#parse(request.url)
    const whole = AbortSignal.timeout(request.time ?? LIMITS.outboundTime)
    const signal = request.signal ? AbortSignal.any([whole, request.signal]) : whole
    try {
      return await this.#send(url, request, signal)
    } catch (error) {
      if (error instanceof OutboundError) throw error
      if (whole.aborted) throw new OutboundError('timeout', 'no answer in time')
      throw new OutboundError('connection', codeOf(error))
    }
  }

  #parse(address: string): URL {
    const url = URL.parse(address)
    if (!url) throw new OutboundError('address', 'This is not an address.')
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new OutboundError('address', 'The address must begin with https://.')
    }
    if (url.username !== '' || url.password !== '') {
      throw new OutboundError('address', 'The address must not contain a name or password.')
    }
    const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(literal) !== 0) this.#demand(url, literal)
    return url
  }

  /** @throws OutboundError unless a connection to this address is permitted */
  #demand(url: URL, address: string): void {
    if (this.#permitted(address)) return
    const isNamed = this.#named.has(url.hostname)
    if (!isPublicAddress(address)) {
      if (isNamed) return
      throw new OutboundError('address', 'The address is not on the Internet; the host permits private networks.')
    }
    if (url.protocol !== 'https:') throw new OutboundError('address', 'The address must begin with https://.')
    if (!isNamed && !PUBLIC_PORTS.has(Number(url.port || 443))) {
      throw new OutboundError('address', 'The port must be 443 or 8443.')
    }
  }

  #resolved(url: URL): Promise<LookupAddress[]> {
    return new Promise((resolve, reject) => {
      this.#lookup(url.hostname.replace(/^\[(.*)\]$/, '$1'), { all: true }, (error, addresses) => {
        if (error) return reject(new OutboundError('connection', codeOf(error)))
        try {
          for (const { address } of addresses) this.#demand(url, address)
          resolve(addresses)
        } catch (refusal) {
          reject(refusal)
        }
      })
    })
  }

  #send(url: URL, { method, headers, body, most }: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const lookup: LookupFunction = (_host, options, give) => {
      this.#resolved(url).then(
        addresses => {
          const [first] = addresses
          if (options.all) give(null, addresses)
          else give(null, first?.address ?? '', first?.family)
        },
        (error: NodeJS.ErrnoException) => give(error, '', 4),
      )
    }
    const options: RequestOptions = { method, headers, agent: false, lookup, signal }
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? requestHttps : requestHttp
      const request = send(url, options, response => resolve(beginningOf(response, most)))
      request.on('error', reject)
      request.on('socket', socket => this.#watch(url, socket, reject))
      request.end(body)
    })
  }

  /** The last check: where the connection really leads. */
  #watch(url: URL, socket: Socket, fail: (error: Error) => void): void {
    const late = setTimeout(
      () => socket.destroy(new OutboundError('timeout', 'no connection in time')),
      LIMITS.outboundConnect,
    )
    socket.once('close', () => clearTimeout(late))
    socket.once('connect', () => {
      clearTimeout(late)
      try {
        this.#demand(url, socket.remoteAddress ?? '')
      } catch (error) {
        fail(error as Error)
        socket.destroy()
      }
    })
  }
}

async function beginningOf(response: IncomingMessage, most = LIMITS.outboundAnswer): Promise<OutboundResponse> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response) {
    pieces.push(piece)
    size += piece.length
    // Leaving the loop ends the connection.
    if (size >= most) break
  }
  const text = DECODER.decode(Buffer.concat(pieces).subarray(0, most))
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message ?? 'unknown'
}
