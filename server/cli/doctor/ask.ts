import type { Probe, ProbeTarget } from '../../../shared/diagnostics/probe-proxy.ts'
import { AppError } from '../../errors.ts'

/** Time-out, in milliseconds. */
const PATIENCE = 20_000

/**
 * A client for the probes of a URL.
 * @param token session token, for probes that need one
 * @throws AppError `bad_request` for an invalid URL
 */
export function probeTarget(address: string, token?: string): ProbeTarget {
  const parsed = URL.parse(address)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new AppError('bad_request', `The URL must look like https://files.example.org/base, not '${address}'.`)
  }
  const { origin, pathname, protocol, hostname } = parsed
  const base = pathname.replace(/\/+$/, '')
  const url = `${origin}${base}`
  return { url, protocol, hostname, base, ask: askAt(url, token), now: Date.now }
}

function askAt(url: string, token: string | undefined): Probe {
  const headers = token === undefined ? {} : { 'X-Auth': token }
  return async (path, { method = 'GET', body, headers: more, patience = PATIENCE } = {}) => {
    try {
      const signal = AbortSignal.timeout(patience)
      const how = {
        method,
        headers: { ...headers, ...more },
        redirect: 'manual',
        signal,
        ...(body && { body }),
      } as const
      const answer = await fetch(`${url}${path}`, how)
      const { status } = answer
      return { status, text: await answer.text(), outcome: String(status), header: name => answer.headers.get(name) }
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error
      const outcome = `nothing (${cause instanceof Error ? cause.message : String(cause)})`
      return { status: 0, text: '', outcome, header: () => null }
    }
  }
}
