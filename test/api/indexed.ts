import { expect } from 'vitest'
import { call, encode, json } from './client.ts'
import type { OwnServer } from './harness.ts'

/** Search results as paths, folders with a trailing slash. */
export async function found(server: OwnServer, token: string, folder: string, query: string): Promise<string[]> {
  const answer = await call(server, `/api/search${encode(folder)}?query=${encodeURIComponent(query)}`, { token })
  return json(answer).map((hit: { path: string; dir: boolean }) => `${hit.path}${hit.dir ? '/' : ''}`)
}

/** Waits until an index of names has completed a scan, the given number of times in the server's log. */
export const untilComplete = (server: OwnServer, times = 1): Promise<void> =>
  expect
    .poll(async () => (await server.log()).split('the index of names is complete').length - 1, { timeout: 60_000 })
    .toBe(times)

/** Rules that hide a folder, and also what is allowed in it. */
export const SECRET = [
  { path: '/secret', allow: false },
  { path: '/secret/open', allow: true },
]

/** Files that every user finds, and some that `SECRET` hides from users whose scope is `home`. */
export const NEEDLES = ['home/needle', 'home/secret/needle', 'home/secret/open/needle', 'needle.PDF']

/** The folder sizes of `home` after a byte was written to `own needle`. */
export const SIZES_OF_HOME = {
  state: 'known',
  count: 3,
  items: [
    { name: 'own needle', isDir: false, bytes: 1, files: 1 },
    { name: 'needle', bytes: 0 },
    { name: 'secret', isDir: true, bytes: 0, files: 2, folders: 1 },
  ],
}
