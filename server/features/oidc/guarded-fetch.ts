import { isLoopback } from '../../lib/networks.ts'
import { LIMITS } from '../../limits.ts'
import { SignInProblem } from '../identities/problem.ts'

/** The options that `openid-client` and `jose` pass. */
interface FetchOptions {
  body?: unknown
  headers?: unknown
  method?: string
  signal?: AbortSignal | undefined
}

/**
 * `fetch` for requests to one provider: over HTTPS, or plain HTTP between programs of this machine; follows no
 * redirect; limits the time and the size of a response.
 * @throws SignInProblem `away`
 */
export function guardedFetch(issuer: URL, userAgent: string) {
  return async (url: string, { body, headers, method, signal }: FetchOptions = {}): Promise<Response> => {
    const target = new URL(url)
    const isLocal = isLoopback(issuer) && isLoopback(target) && target.protocol === 'http:'
    if (target.protocol !== 'https:' && !isLocal) throw new SignInProblem('away', `${target.origin} is not secure`)
    const limit = AbortSignal.timeout(LIMITS.providerTime)
    const all = new Headers(headers as Record<string, string>)
    all.set('User-Agent', userAgent)
    try {
      const response = await fetch(target, {
        ...(body ? { body: body as string } : {}),
        method: method ?? 'GET',
        headers: all,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([limit, signal]) : limit,
      })
      return await received(response)
    } catch (error) {
      if (error instanceof SignInProblem) throw error
      throw new SignInProblem('away', `${target.origin} does not answer: ${reasonOf(error)}`, { cause: error })
    }
  }
}

async function received(response: Response): Promise<Response> {
  const { status, headers } = response
  if ((status >= 300 && status < 400) || status >= 500) {
    await response.body?.cancel()
    throw new SignInProblem('away', `${new URL(response.url).origin} answers with status ${status}`)
  }
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    // Leaving the loop cancels the body.
    if (size > LIMITS.providerAnswer) throw new SignInProblem('away', 'the answer is too long')
    pieces.push(piece)
  }
  return new Response(size === 0 ? null : new Blob(pieces), { status, headers })
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code = undefined } = cause as { code?: unknown }
  if (typeof code === 'string') return code
  return cause instanceof Error ? cause.message : 'unknown'
}
