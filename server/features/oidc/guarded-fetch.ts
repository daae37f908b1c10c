import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '../../lib/networks.ts'
import { LIMITS } from '../../limits.ts'
import { Outbound, OutboundError, type OutboundResponse } from '../../outbound/outbound.ts'
import { SignInProblem } from '../identities/problem.ts'

/** The options that `openid-client` and `jose` pass. */
interface FetchOptions {
  body?: unknown
  headers?: unknown
  method?: string
  signal?: AbortSignal | undefined
}

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8'
/** The names of this machine, which are one. */
const HERE = ['localhost', '127.0.0.1', '[::1]']
/** Responses that have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205])

/**
 * `fetch` for requests to one provider: over HTTPS, or plain HTTP between programs of this machine; follows no
 * redirect; limits the time and the size of a response. The configuration names the issuer, which may thus be in a private
 * network; what the description of the provider names besides must be on the Internet.
 * @throws SignInProblem `away`
 */
export function guardedFetch(issuer: URL, userAgent: string) {
  const outbound = new Outbound({ networks: [], named: isLoopback(issuer) ? HERE : [issuer.hostname] })
  return async (url: string, { body, headers, method, signal }: FetchOptions = {}): Promise<Response> => {
    const target = new URL(url)
    const isLocal = isLoopback(issuer) && isLoopback(target) && target.protocol === 'http:'
    if (target.protocol !== 'https:' && !isLocal) throw new SignInProblem('away', `${target.origin} is not secure`)
    const all = new Headers(headers as Record<string, string>)
    all.set('User-Agent', userAgent)
    const sent = body === undefined || body === null ? undefined : String(body)
    if (sent !== undefined) {
      if (!all.has('Content-Type')) all.set('Content-Type', FORM)
      all.set('Content-Length', String(Buffer.byteLength(sent)))
    }
    const response = await outbound
      .call({
        url: target.href,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(all),
        ...(sent !== undefined && { body: sent }),
        most: LIMITS.providerAnswer + 1,
        time: LIMITS.providerTime,
        signal,
      })
      .catch((error: unknown) => {
        throw new SignInProblem('away', `${target.origin} does not answer: ${reasonOf(error)}`, { cause: error })
      })
    return received(target, response)
  }
}

function received({ origin }: URL, { status, headers, text }: OutboundResponse): Response {
  if ((status >= 300 && status < 400) || status >= 500) {
    throw new SignInProblem('away', `${origin} answers with status ${status}`)
  }
  if (Buffer.byteLength(text) > LIMITS.providerAnswer) throw new SignInProblem('away', 'the answer is too long')
  return new Response(BODILESS.has(status) || text === '' ? null : text, { status, headers: asHeaders(headers) })
}

function asHeaders(given: IncomingHttpHeaders): Headers {
  const all = new Headers()
  for (const [name, value = ''] of Object.entries(given)) {
    for (const one of [value].flat()) all.append(name, one)
  }
  return all
}

function reasonOf(error: unknown): string {
  if (error instanceof OutboundError || error instanceof Error) return error.message
  return 'unknown'
}
