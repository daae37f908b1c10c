import { expect, test } from 'vitest'
import type { ChangePage } from '../../shared/api/changes.ts'
import type { Job } from '../../shared/api/jobs.ts'
import type { TrashPage } from '../../shared/api/trash.ts'
import { type Answer, call, encode, json, type Person, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { EVERYTHING, enrol, PASSWORD } from './people.ts'
import { digest, reachable } from './reachable.ts'

/** `FILIGREE_CONSERVATION=500 npm test -- test/api/conservation.test.ts` does more; `…_SEED=7` chooses others. */
const OPERATIONS = Number(process.env.FILIGREE_CONSERVATION ?? 60)
const SEED = Number(process.env.FILIGREE_CONSERVATION_SEED ?? 1)

const wire = await openInstance()

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface World {
  people: readonly Person[]
  random: () => number
  /** Contents that were deleted for good, as the answer said. */
  purged: Set<string>
  written: Set<string>
}

const oneOf = <T>({ random }: Pick<World, 'random'>, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

const NAMES = ['a.txt', 'b.txt', 'c.txt']
const FOLDERS = ['/', '/x/', '/x/y/', '/z/']
const somePath = (world: World) => oneOf(world, FOLDERS) + oneOf(world, NAMES)
const someItem = (world: World) => (world.random() < 0.3 ? oneOf(world, ['/x', '/x/y', '/z']) : somePath(world))

async function patch(who: Person, from: string, query: Record<string, string>): Promise<Answer> {
  return call(wire, `/api/resources${encode(from)}?${new URLSearchParams(query)}`, {
    method: 'PATCH',
    token: who.token,
  })
}

const post = (who: Person, path: string, body: unknown) =>
  call(wire, path, {
    method: 'POST',
    token: who.token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

const changesOf = async (who: Person, query: string): Promise<ChangePage['items']> =>
  json(await call(wire, `/api/changes${query}`, { token: who.token })).items
const trashOf = async (who: Person): Promise<TrashPage['items']> =>
  json(await call(wire, '/api/trash', { token: who.token })).items

/** What the three do at random. Refusals are fine; only lost contents are not. */
const OPERATIONS_OF: Readonly<Record<string, (world: World, who: Person) => Promise<unknown>>> = {
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
    jobsOf(wire, who).ask({
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
    const { bytes } = await call(wire, `/api/trash/raw/${id}`, { token: who.token })
    const { results } = json(await post(who, '/api/trash/purge', { ids: [id] }))
    if (results[0]?.state === 'done') world.purged.add(digest(bytes.toString()))
  },
}

test('HIST-01 after random operations of three users every content is there, but those deleted for good', async () => {
  const { path } = await corner(wire)
  const names = ['keeper-one', 'keeper-two', 'keeper-three']
  await enrol(
    wire,
    names.map(name => ({ name, may: EVERYTHING, scope: path })),
  )
  const people = await Promise.all(names.map(name => person(wire, name, PASSWORD)))
  const world: World = { people, random: randomFrom(SEED), purged: new Set(), written: new Set() }
  const log: string[] = []
  for (let count = 0; count < OPERATIONS; count += 1) {
    const some = Array.from({ length: 1 + Math.floor(world.random() * 3) }, () => ({
      name: world.random() < 0.3 ? 'write' : oneOf(world, Object.keys(OPERATIONS_OF)),
      who: oneOf(world, people),
    }))
    log.push(some.map(({ name }) => name).join('+'))
    await Promise.all(some.map(({ name, who }) => OPERATIONS_OF[name]?.(world, who)))
  }
  for (const who of people) {
    const jobs: Job[] = json(await jobsOf(wire, who).list())
    await Promise.all(jobs.map(({ id }) => jobsOf(wire, who).ended(id)))
  }
  const there = await reachable(wire, people[0] as Person)
  const lost = [...world.written].filter(content => !there.has(content) && !world.purged.has(content))
  expect(lost, `seed ${SEED}: ${log.join(' ')}`).toEqual([])
  expect(world.written.size).toBeGreaterThan(0)
})
