import type { Ask, Way } from '../../../shared/doctor/way.ts'
import { AppError } from '../../errors.ts'

/** Milliseconds an answer may take. */
const PATIENCE = 20_000

/** The way to an address. @throws AppError `bad_request` for what is none */
export function wayTo(address: string): Way {
  const parsed = URL.parse(address)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new AppError('bad_request', `An address looks like https://files.example.org/base, not '${address}'.`)
  }
  const { origin, pathname, protocol, hostname } = parsed
  const base = pathname.replace(/\/+$/, '')
  const url = `${origin}${base}`
  return { url, protocol, hostname, base, ask: askAt(url), now: Date.now }
}

function askAt(url: string): Ask {
  return async (path, { method = 'GET', body } = { method: 'GET' }) => {
    try {
      const signal = AbortSignal.timeout(PATIENCE)
      const answer = await fetch(`${url}${path}`, { method, redirect: 'manual', signal, ...(body && { body }) })
      const { status, headers } = answer
      return { status, text: await answer.text(), said: String(status), header: name => headers.get(name) }
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error
      const said = `nothing (${cause instanceof Error ? cause.message : String(cause)})`
      return { status: 0, text: '', said, header: () => null }
    }
  }
}
