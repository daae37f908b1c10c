import { NAME_HEADER, RECEIVED_LIFETIME, receivedCache, TIME_HEADER } from '../../../shared/received.ts'
import { forgetPlayed } from '../../features/preview/playback-position.ts'
import { pageConfig } from '../../lib/config.ts'
import { sessionStore } from '../../lib/session.ts'
import { createStore } from '../../lib/store.ts'

/** Files that other apps have shared, and that wait for a folder. */
export interface Received {
  files: readonly File[]
  /** Deletes the cached copies. */
  forget(): Promise<void>
}

export const receivedStore = createStore<Received | undefined>(undefined)

const cacheName = () => receivedCache(`${pageConfig.BaseURL}/`)

/** Reads what the service worker has kept. */
export async function findReceived(): Promise<void> {
  if (!('caches' in globalThis) || !(await caches.has(cacheName()))) return
  const cache = await caches.open(cacheName())
  const keys = await cache.keys()
  const files = await Promise.all(keys.map(async key => fileOf(await cache.match(key))))
  const kept = files.filter(file => file !== undefined)
  if (kept.length === 0) return
  const forget = async () => void (await Promise.all(keys.map(key => cache.delete(key))))
  receivedStore.set({ files: kept, forget })
}

async function fileOf(response: Response | undefined): Promise<File | undefined> {
  const name = response?.headers.get(NAME_HEADER)
  const age = Date.now() - Number(response?.headers.get(TIME_HEADER))
  if (!response || !name || !(age < RECEIVED_LIFETIME)) return undefined
  return new File([await response.blob()], decodeURIComponent(name))
}

/** After a sign-out nothing of a user stays on the device. */
export function forgetReceivedOnLogout(): void {
  sessionStore.subscribe(() => {
    if (sessionStore.get().reason !== 'logout') return
    receivedStore.set(undefined)
    forgetPlayed()
    if ('caches' in globalThis) void caches.delete(cacheName())
  })
}
