import { receivedCache } from '../../shared/received.ts'
import { dropOldShares, receive } from './received.ts'

// The service worker of the installed app. It answers from a cache only for built files, whose names contain a hash of
// their content, and shows the page without a connection. Calls, downloads and share links never pass through it.

declare const self: ServiceWorkerGlobalScope
/** A hash of the build. */
declare const BUILD: string

/** Path of the app, with a slash at the end. */
const BASE = new URL('./', self.location.href).pathname
const ASSETS = `${BASE}static/assets/`
const CACHE = `filigree ${BASE} build ${BUILD}`
/** First parts of the addresses of screens that need a session. */
const SCREENS: ReadonlySet<string> = new Set([
  '',
  'files',
  'history',
  'login',
  'recent',
  'search',
  'settings',
  'starred',
  'tags',
  'trash',
  'usage',
])

self.addEventListener('install', event => event.waitUntil(keepShell()))

self.addEventListener('activate', event => {
  event.waitUntil(
    Promise.all([
      dropOldBuilds(),
      dropOldShares(BASE),
      self.registration.navigationPreload?.enable(),
      self.clients.claim(),
    ]),
  )
})

self.addEventListener('message', event => {
  if (event.data === 'take over') void self.skipWaiting()
  // The page names the built files that it has loaded so far.
  else if (Array.isArray(event.data)) event.waitUntil(keepAssets(event.data.map(String)))
})

self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.method === 'POST' && pathname === `${BASE}share-target`) {
    return event.respondWith(receive(request, BASE))
  }
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && isScreen(pathname)) event.respondWith(screen(event))
  else if (pathname.startsWith(ASSETS)) event.respondWith(asset(request))
})

function isScreen(path: string): boolean {
  return path.startsWith(BASE) && SCREENS.has(path.slice(BASE.length).split('/', 1)[0] ?? '')
}

/** The page from the server; without a connection the kept one, which is the same for all users. */
async function screen(event: FetchEvent): Promise<Response> {
  try {
    const preloaded: unknown = await event.preloadResponse
    const response = preloaded instanceof Response ? preloaded : await fetch(event.request)
    event.waitUntil(refresh())
    return response
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(BASE)
    if (kept) return kept
    throw error
  }
}

async function asset(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  if (response.status === 200) void cache.put(request, response.clone())
  return response
}

let refreshed = false

/** Once in the worker's life: follows changes of the branding, and goes where the server has no worker any more. */
async function refresh(): Promise<void> {
  if (refreshed) return
  refreshed = true
  const own = await fetch(self.location.href, { method: 'HEAD', cache: 'no-store' })
  if (own.status === 404) await retire()
  else await keepShell()
}

async function retire(): Promise<void> {
  await self.registration.unregister()
  for (const name of await ownCaches()) await caches.delete(name)
}

/** Keeps the page and the files that it names. */
async function keepShell(): Promise<void> {
  const response = await fetch(BASE, { credentials: 'omit', cache: 'no-store' })
  // An authenticating proxy answers with a page of its own, or leads to one.
  if (!response.ok || response.redirected) return
  const text = await response.clone().text()
  const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
  await keepAssets(named)
  await (await caches.open(CACHE)).put(BASE, response)
}

async function keepAssets(addresses: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  for (const address of addresses) {
    const path = URL.parse(address, self.location.href)?.pathname
    if (path?.startsWith(ASSETS) && !(await cache.match(path, { ignoreVary: true }))) await cache.add(path)
  }
}

async function dropOldBuilds(): Promise<void> {
  for (const name of await ownCaches()) {
    if (name !== CACHE && name !== receivedCache(BASE)) await caches.delete(name)
  }
}

const ownCaches = async () => (await caches.keys()).filter(name => name.startsWith(`filigree ${BASE} `))
