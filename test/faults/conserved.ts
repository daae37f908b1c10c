import { call, encode, json, type Person } from '../api/client.ts'
import type { Instance } from '../api/harness.ts'
import type { Dice } from '../fuzz/dice.ts'

/** Where a content is, by the last answer about it. `kept`: a version, or in the trash under an id that no answer named. */
export type Where =
  | { kind: 'live'; path: string }
  | { kind: 'trash'; id: string; path: string; inner: string }
  | { kind: 'kept' | 'purged' }

interface Entry {
  where: Where | undefined
  /** An operation about it is under way. */
  busy: boolean
  /** It is or was being deleted for good. */
  mayGo: boolean
}

/** What a power cut may not take: each content, by the answers so far. */
export class Ledger {
  readonly entries = new Map<string, Entry>()
  /** Operations that succeeded. */
  done = 0
  /** Called right after each answer was noted. */
  answered: () => void = () => {}

  /** Notes what an operation touches, performs it, and notes what its answer says. Throws if there is no answer. */
  async act(contents: readonly string[], mayGo: boolean, perform: () => Promise<Map<string, Where>>): Promise<void> {
    for (const content of contents) {
      const { where, mayGo: might = false } = this.entries.get(content) ?? {}
      this.entries.set(content, { where, busy: true, mayGo: might || mayGo })
    }
    const note = (whereOf: (content: string, entry: Entry) => Where | undefined) => {
      for (const content of contents) {
        const entry = this.entries.get(content)
        if (entry) this.entries.set(content, { ...entry, where: whereOf(content, entry), busy: false })
      }
    }
    const found = await perform().catch(thrown => {
      note((_content, { where }) => where && KEPT)
      throw thrown
    })
    note((content, { where }) => found.get(content) ?? where)
    if (found.size > 0) this.done += 1
    this.answered()
  }

  /** The entries of this moment. */
  copy = (): Map<string, Entry> => new Map(this.entries)

  at = (path: string) => this.find(where => where.kind === 'live' && where.path === path)
  below = (folder: string) => this.find(where => where.kind === 'live' && where.path.startsWith(`${folder}/`))
  inItem = (id: string) => this.find(where => where.kind === 'trash' && where.id === id)

  private find(matches: (where: Where) => boolean): string[] {
    return [...this.entries].filter(([, { where }]) => where && matches(where)).map(([content]) => content)
  }
}

/** A client that acts in a folder of its own, one operation after the other. */
export interface Actor {
  server: Instance
  who: Person
  dice: Dice
  ledger: Ledger
  folder: string
  /** Items that it deleted and did not restore or purge: the id, and the path that each had. */
  items: Map<string, string>
}

const post = ({ server, who }: Actor, path: string, body: object) =>
  call(server, path, {
    method: 'POST',
    token: who.token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

const none = new Map<string, Where>()
const everyAt = (contents: readonly string[], where: (content: string) => Where) =>
  new Map(contents.map(content => [content, where(content)]))
const KEPT: Where = { kind: 'kept' }
const somePath = ({ dice, folder }: Actor) =>
  `${folder}/${dice.pick(['a', 'b', 'tree/a', 'tree/b', 'tree/deep/c'])}.txt`
const someItem = ({ dice, items }: Actor) => (items.size === 0 ? undefined : dice.pick([...items]))

let made = 0
/** A content that nothing else has, of up to 200 kB. */
function content({ dice, folder }: Actor): string {
  made += 1
  return `${made} of ${folder}\n`.repeat(1 + dice.below(dice.chance(0.2) ? 10_000 : 10))
}

async function write(actor: Actor): Promise<void> {
  const { ledger, who } = actor
  const [path, text] = [somePath(actor), content(actor)]
  const old = ledger.at(path)
  await ledger.act([text, ...old], false, async () => {
    const { status } = await who.put(path, text, '?override=true')
    return status === 200 ? everyAt([...old, text], one => (one === text ? { kind: 'live', path } : KEPT)) : none
  })
}

async function remove(actor: Actor): Promise<void> {
  const { ledger, who, dice, folder } = actor
  const path = dice.chance(0.3) ? `${folder}/tree` : somePath(actor)
  const contents = [...ledger.at(path), ...ledger.below(path)]
  const places = new Map(contents.map(one => [one, pathOf(ledger, one)]))
  await ledger.act(contents, false, async () => {
    const { status, headers } = await who.remove(path)
    const id = headers.get('X-Kept')
    if (status !== 204 || id === null) return none
    actor.items.set(id, path)
    return everyAt(contents, one => ({ kind: 'trash', id, path, inner: (places.get(one) ?? '').slice(path.length) }))
  })
}

const pathOf = ({ entries }: Ledger, one: string): string => {
  const where = entries.get(one)?.where
  return where?.kind === 'live' ? where.path : ''
}

/** To a new place, or over what has its old place now. */
async function restore(actor: Actor): Promise<void> {
  const { ledger, dice, folder } = actor
  const [id, path] = someItem(actor) ?? []
  if (id === undefined || path === undefined) return
  const to = dice.chance(0.5) ? path : `${folder}/restored-${ledger.done}`
  const [contents, old] = [ledger.inItem(id), [...ledger.at(to), ...ledger.below(to)]]
  const inners = new Map(contents.map(one => [one, innerOf(ledger, one)]))
  await ledger.act([...contents, ...old], false, async () => {
    const answer = await post(actor, '/api/trash/restore', { items: [{ id, to }], conflict: 'replace' })
    actor.items.delete(id)
    // A part of it may be restored.
    if (answer.status !== 200 || json(answer).results[0]?.state !== 'done')
      return everyAt([...contents, ...old], () => KEPT)
    const taken = new Set(contents.map(one => to + inners.get(one)))
    const given = old.filter(one => taken.has(pathOf(ledger, one)))
    return new Map([
      ...everyAt(contents, one => ({ kind: 'live', path: to + inners.get(one) })),
      ...everyAt(given, () => KEPT),
    ])
  })
}

const innerOf = ({ entries }: Ledger, one: string): string => {
  const where = entries.get(one)?.where
  return where?.kind === 'trash' ? where.inner : ''
}

async function purge(actor: Actor): Promise<void> {
  const { ledger } = actor
  const [id] = someItem(actor) ?? []
  if (id === undefined) return
  const contents = ledger.inItem(id)
  await ledger.act(contents, true, async () => {
    const answer = await post(actor, '/api/trash/purge', { ids: [id] })
    if (answer.status !== 200 || json(answer).results[0]?.state !== 'done') return none
    actor.items.delete(id)
    return everyAt(contents, () => ({ kind: 'purged' }))
  })
}

async function moveOver(actor: Actor): Promise<void> {
  const { ledger, server, who } = actor
  const [from, to] = [somePath(actor), somePath(actor)]
  const [moved, old] = [ledger.at(from), ledger.at(to)]
  if (from === to || moved.length === 0) return
  await ledger.act([...moved, ...old], false, async () => {
    const query = new URLSearchParams({ action: 'rename', destination: encode(to), override: 'true' })
    const { status } = await call(server, `/api/resources${encode(from)}?${query}`, {
      method: 'PATCH',
      token: who.token,
    })
    if (status !== 200) return none
    return new Map([...everyAt(old, () => KEPT), ...everyAt(moved, () => ({ kind: 'live' as const, path: to }))])
  })
}

/** Saves and deletions are the most. */
const OPERATIONS = [write, write, write, write, remove, remove, restore, restore, moveOver, purge]

/** Performs one random operation. */
export const operate = (actor: Actor): Promise<void> => actor.dice.pick(OPERATIONS)(actor)
