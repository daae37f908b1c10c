import { expect } from 'vitest'
import { call, encode, json } from './client.ts'
import type { OwnServer } from './harness.ts'

/** What a search answers: paths, folders with a slash behind. */
export async function found(server: OwnServer, token: string, folder: string, query: string): Promise<string[]> {
  const answer = await call(server, `/api/search${encode(folder)}?query=${encodeURIComponent(query)}`, { token })
  return json(answer).map((hit: { path: string; dir: boolean }) => `${hit.path}${hit.dir ? '/' : ''}`)
}

/** Waits until an index of names has looked at everything, for the so many-th time in the server's log. */
export const untilComplete = (server: OwnServer, times = 1): Promise<void> =>
  expect
    .poll(async () => (await server.log()).split('the index of names is complete').length - 1, { timeout: 60_000 })
    .toBe(times)

/** Rules under which a folder is out of sight, also what is allowed in it. */
export const SECRET = [
  { path: '/secret', allow: false },
  { path: '/secret/open', allow: true },
]

/** Needles for everybody, and some that `SECRET` hides from whoever has `home` as their scope. */
export const NEEDLES = ['home/needle', 'home/secret/needle', 'home/secret/open/needle', 'needle.PDF']

/** What takes the room in `home` once a byte was put into `own needle`. */
export const SIZES_OF_HOME = {
  state: 'known',
  count: 3,
  items: [
    { name: 'own needle', isDir: false, bytes: 1, files: 1 },
    { name: 'needle', bytes: 0 },
    { name: 'secret', isDir: true, bytes: 0, files: 2, folders: 1 },
  ],
}
