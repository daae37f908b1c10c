import type { ChangePage } from '../../shared/api/changes.ts'
import type { TrashPage } from '../../shared/api/trash.ts'
import { type Answer, call, encode, json, type Person } from './client.ts'
import type { Instance } from './harness.ts'
import { jobsOf } from './jobs-client.ts'
import { digest } from './reachable.ts'

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A user, and the server that this one calls. */
export interface Actor extends Person {
  wire: Pick<Instance, 'url'>
}

export interface World {
  random: () => number
  /** Contents that were deleted for good, as the answer said; or may be, where none came. */
  purged: Set<string>
  written: Set<string>
}

export const oneOf = <T>({ random }: Pick<World, 'random'>, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

const NAMES = ['a.txt', 'b.txt', 'c.txt']
const FOLDERS = ['/', '/x/', '/x/y/', '/z/']
const somePath = (world: World) => oneOf(world, FOLDERS) + oneOf(world, NAMES)
const someItem = (world: World) => (world.random() < 0.3 ? oneOf(world, ['/x', '/x/y', '/z']) : somePath(world))

async function patch(who: Actor, from: string, query: Record<string, string>): Promise<Answer> {
  return call(who.wire, `/api/resources${encode(from)}?${new URLSearchParams(query)}`, {
    method: 'PATCH',
    token: who.token,
  })
}

const post = (who: Actor, path: string, body: unknown) =>
  call(who.wire, path, {
    method: 'POST',
    token: who.token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

const changesOf = async (who: Actor, query: string): Promise<ChangePage['items']> =>
  json(await call(who.wire, `/api/changes${query}`, { token: who.token })).items
const trashOf = async (who: Actor): Promise<TrashPage['items']> =>
  json(await call(who.wire, '/api/trash', { token: who.token })).items

/** What users do at random. Refusals are fine; only lost contents are not. */
const OPERATIONS_OF: Readonly<Record<string, (world: World, who: Actor) => Promise<unknown>>> = {
  async write(world, who) {
    const content = `content ${world.written.size} ${world.random()}`
    const answer = await who.put(somePath(world), content, '?override=true')
    if (answer.status === 200) world.written.add(digest(content))
  },
  remove: (world, who) => who.remove(someItem(world)),
  move: (world, who) =>
    patch(who, someItem(world), { action: 'rename', destination: encode(someItem(world)), override: 'true' }),
  copy: (world, who) =>
    patch(who, someItem(world), { action: 'copy', destination: encode(someItem(world)), override: 'true' }),
  merge: (world, who) =>
    jobsOf(who.wire, who).ask({
      kind: 'move',
      items: [{ from: '/x', to: '/z' }],
      conflict: oneOf(world, ['replace', 'keepBoth'] as const),
    }),
  async restore(world, who) {
    const items = await trashOf(who)
    if (items.length === 0) return
    const conflict = oneOf(world, ['keepBoth', 'replace', 'skip'])
    await post(who, '/api/trash/restore', { items: [{ id: oneOf(world, items).id }], conflict })
  },
  async undo(world, who) {
    const changes = await changesOf(who, '?undoable=true')
    if (changes.length === 0) return
    const offer = oneOf(world, ['trash', 'copy', 'over'])
    const conflict = oneOf(world, ['keepBoth', 'replace', 'skip'])
    await post(who, `/api/changes/${oneOf(world, changes).id}/undo`, { offer, conflict })
  },
  async redo(world, who) {
    const undone = (await changesOf(who, '?kind=undo')).filter(({ undo }) => undo.can)
    if (undone.length > 0) await post(who, `/api/changes/${oneOf(world, undone).id}/undo`, {})
  },
  async purge(world, who) {
    const files = (await trashOf(who)).filter(({ isDir }) => !isDir)
    if (files.length === 0 || world.random() < 0.7) return
    const { id } = oneOf(world, files)
    const { status, text } = await call(who.wire, `/api/trash/raw/${id}`, { token: who.token })
    // Another user may be restoring it.
    if (status !== 200) return
    const noted = () => world.purged.add(digest(text))
    const answer = await post(who, '/api/trash/purge', { ids: [id] }).catch(thrown => {
      noted()
      throw thrown
    })
    if (json(answer).results[0]?.state === 'done') noted()
  },
}

/** The operations of one round, which run at once: one to three of them. */
export function someOperations(world: World, people: readonly Actor[]): { name: string; run(): Promise<unknown> }[] {
  return Array.from({ length: 1 + Math.floor(world.random() * 3) }, () => {
    const name = world.random() < 0.3 ? 'write' : oneOf(world, Object.keys(OPERATIONS_OF))
    const who = oneOf(world, people)
    return { name, run: async () => OPERATIONS_OF[name]?.(world, who) }
  })
}
