import type { Finding } from '../../../../shared/api/diagnostics.ts'
import { lookAtHandOver } from '../../../../shared/diagnostics/probe-accel-redirect.ts'
import { type Ask, lookAlong } from '../../../../shared/diagnostics/probe-proxy.ts'
import { lookAtWaits } from '../../../../shared/diagnostics/probe-timeouts.ts'
import { apiJson, apiUrl } from '../../../lib/api.ts'
import { pageConfig } from '../../../lib/config.ts'
import { readEvents } from '../../../lib/event-stream.ts'
import { queryOptions } from '../../../lib/query.ts'
import { currentToken } from '../../../lib/token.ts'

/** Milliseconds an answer may take. */
const PATIENCE = 20_000

/** What the server finds (`GET /api/doctor`), and what this browser finds on its way to it. */
export const doctorQuery = queryOptions({
  queryKey: ['doctor'],
  queryFn: async ({ signal }) => {
    const downloads = lookAtHandOver(askWith(currentToken(), signal), askBeside)
    return (await Promise.all([lookAtServer(signal), lookAround(), lookAtSockets(), downloads])).flat()
  },
  refetchOnWindowFocus: false,
  gcTime: 0,
})

/** Whether slow answers come to this browser, as a query; it takes a minute, and ends when nobody waits for it. */
export const waitsQuery = queryOptions({
  queryKey: ['doctor', 'waits'],
  queryFn: ({ signal }) => lookAtWaits(askWith(currentToken(), signal)),
  refetchOnWindowFocus: false,
  gcTime: 0,
})

const lookAtServer = (signal: AbortSignal) => apiJson<Finding[]>('/api/doctor', { signal })

async function lookAround(): Promise<Finding[]> {
  const { protocol, hostname, origin } = location
  const base = pageConfig.BaseURL
  const along = await lookAlong({ url: `${origin}${base}`, protocol, hostname, base, ask: askWith(), now: Date.now })
  return [...along, await lookAtEvents()]
}

/** Asks as a stranger, or with a token. @param gone ends it */
const askWith = (token?: string | null, gone?: AbortSignal): Ask => askAt(apiUrl, token, gone)

/** Asks as a stranger for paths from the top of the host name. */
const askBeside: Ask = (path, how) => askAt(place => `${location.origin}${place}`)(path, how)

function askAt(addressOf: (path: string) => string, token?: string | null, gone?: AbortSignal): Ask {
  const own = token ? { 'X-Auth': token } : {}
  return async (path, { method = 'GET', body, headers, patience = PATIENCE } = {}) => {
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(patience), ...(gone ? [gone] : [])])
      const how = { method, headers: { ...own, ...headers }, redirect: 'manual', cache: 'no-store', signal } as const
      const answer = await fetch(addressOf(path), { ...how, ...(body && { body }) })
      return {
        status: answer.status,
        text: await answer.text(),
        said: String(answer.status),
        header: name => answer.headers.get(name),
      }
    } catch (error) {
      return { status: 0, text: '', said: String(error), header: () => null }
    }
  }
}

/** Whether the first bytes of a stream come before the stream ends. */
async function lookAtEvents(): Promise<Finding> {
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

function lookAtSockets(): Promise<Finding> {
  const url = new URL(apiUrl('/api/doctor/socket'), location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url)
  return new Promise(resolve => {
    const lines = ['nginx:   proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";']
    const end = (finding: Finding) => {
      clearTimeout(timer)
      resolve(finding)
    }
    const timer = setTimeout(() => socket.close(), PATIENCE)
    socket.addEventListener('open', () => end({ code: 'socketsPass' }))
    socket.addEventListener('close', () => end({ code: 'socketsStopped', lines }))
  })
}
