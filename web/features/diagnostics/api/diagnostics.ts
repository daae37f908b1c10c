import type { Finding } from '../../../../shared/api/diagnostics.ts'
import { probeAccelRedirect } from '../../../../shared/diagnostics/probe-accel-redirect.ts'
import { type Probe, probeProxy } from '../../../../shared/diagnostics/probe-proxy.ts'
import { probeTimeouts } from '../../../../shared/diagnostics/probe-timeouts.ts'
import { apiJson, apiUrl } from '../../../lib/api.ts'
import { pageConfig } from '../../../lib/config.ts'
import { readEvents } from '../../../lib/event-stream.ts'
import { queryOptions } from '../../../lib/query.ts'
import { currentToken } from '../../../lib/token.ts'

/** Timeout of a probe in milliseconds. */
const TIMEOUT = 20_000

/** The server's findings (`GET /api/doctor`), and those of this browser on its way to it. */
export const diagnosticsQuery = queryOptions({
  queryKey: ['diagnostics'],
  queryFn: async ({ signal }) => {
    const downloads = probeAccelRedirect(requestWith(currentToken(), signal), requestAtRoot)
    return (await Promise.all([serverFindings(signal), allFindings(), probeSockets(), downloads])).flat()
  },
  refetchOnWindowFocus: false,
  gcTime: 0,
})

/** Whether streamed responses reach this browser, as a query; it takes a minute, and ends with its last observer. */
export const delaysQuery = queryOptions({
  queryKey: ['diagnostics', 'waits'],
  queryFn: ({ signal }) => probeTimeouts(requestWith(currentToken(), signal)),
  refetchOnWindowFocus: false,
  gcTime: 0,
})

const serverFindings = (signal: AbortSignal) => apiJson<Finding[]>('/api/doctor', { signal })

async function allFindings(): Promise<Finding[]> {
  const { protocol, hostname, origin } = location
  const base = pageConfig.BaseURL
  const along = await probeProxy({
    url: `${origin}${base}`,
    protocol,
    hostname,
    base,
    ask: requestWith(),
    now: Date.now,
  })
  return [...along, await probeEvents()]
}

/** A request without a session, or with a token. @param gone aborts it */
const requestWith = (token?: string | null, gone?: AbortSignal): Probe => requestAt(apiUrl, token, gone)

/** Requests without a session for paths at the root of the host name. */
const requestAtRoot: Probe = (path, how) => requestAt(place => `${location.origin}${place}`)(path, how)

function requestAt(addressOf: (path: string) => string, token?: string | null, gone?: AbortSignal): Probe {
  const own = token ? { 'X-Auth': token } : {}
  return async (path, { method = 'GET', body, headers, patience = TIMEOUT } = {}) => {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(patience), ...(gone ? [gone] : [])])
      // A refusal of WebDAV would make the browser ask for a password.
      const credentials = token ? 'same-origin' : 'omit'
      const how = {
        method,
        headers: { ...own, ...headers },
        redirect: 'manual',
        cache: 'no-store',
        signal,
        credentials,
      } as const
      const answer = await fetch(addressOf(path), { ...how, ...(body && { body }) })
      return {
        status: answer.status,
        text: await answer.text(),
        outcome: String(answer.status),
        header: name => answer.headers.get(name),
      }
    } catch (error) {
      return { status: 0, text: '', outcome: String(error), header: () => null }
    }
  }
}

/** Whether the first bytes of a stream arrive before the stream ends. */
async function probeEvents(): Promise<Finding> {
  const enough = new AbortController()
  let came = false
  const onOpen = () => {
    came = true
    enough.abort()
  }
  await readEvents('/api/events', enough.signal, { onOpen, onEvent: () => undefined }).catch(() => undefined)
  if (came) return { code: 'eventsPass' }
  return { code: 'eventsLate', lines: ['nginx:   proxy_buffering off;'] }
}

function probeSockets(): Promise<Finding> {
  const url = new URL(apiUrl('/api/doctor/socket'), location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url)
  return new Promise(resolve => {
    const lines = ['nginx:   proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";']
    const end = (finding: Finding) => {
      clearTimeout(timer)
      resolve(finding)
    }
    const timer = setTimeout(() => socket.close(), TIMEOUT)
    socket.addEventListener('open', () => end({ code: 'socketsPass' }))
    socket.addEventListener('close', () => end({ code: 'socketsStopped', lines }))
  })
}
