import { expect } from 'vitest'
import { ROOT } from '../../shared/path.ts'
import { findNames } from '../files/find.ts'
import { type Policy, policyFor } from '../files/policy.ts'
import { folderSizes, usageOf } from '../files/sizes.ts'
import { walk } from '../files/walk.ts'
import { entriesIn, type StorageDriver } from '../storage/driver.ts'
import type { IndexEvent, SearchIndex } from './search-index.ts'

/** A store with an index, and the events it reported. */
export interface Indexed {
  store: StorageDriver
  index: SearchIndex
  events: IndexEvent[]
}

const PERM = { admin: false, execute: false, create: true, rename: true, modify: true, delete: true, share: true }
export const ACTOR = { scope: '/', perm: { ...PERM, download: true }, rules: [], hideDotfiles: false }
export const rule = (path: string, allow: boolean) => ({ regex: false, regexp: null, path, allow })
/** A user who sees everything, and one who does not see anything below denied paths, even if it is allowed. */
export const POLICIES: Policy[] = [
  policyFor(ACTOR, []),
  policyFor({ ...ACTOR, hideDotfiles: true }, [rule('/a', false), rule('/a/B', true), rule('/B/é', false)]),
]
export const live = new AbortController().signal

/** Hits by words. @throws Error unless the index knows them */
export async function foundBy({ index }: Pick<Indexed, 'index'>, ...words: string[]): Promise<string[]> {
  const found: string[] = []
  const batches = await index.find(ROOT, words)
  if (!batches) throw new Error('the folder is not indexed')
  for await (const entries of entriesIn(batches, { path: ROOT, canonical: ROOT }))
    found.push(...entries.map(entry => entry.path))
  return found.filter(path => holdsOne(path, words))
}

/** Hits by words, from the index or else from the store. */
export async function searchedBy(indexed: Pick<Indexed, 'store' | 'index'>, ...words: string[]): Promise<string[]> {
  const top = await topOf(indexed.store)
  const found = await Array.fromAsync(findNames({ ...indexed, policy: policyFor(ACTOR, []) }, top, words, live))
  return found.map(({ path }) => path).filter(path => holdsOne(path, words))
}

const holdsOne = (path: string, words: readonly string[]) =>
  words.length === 0 || words.some(word => path.slice(path.lastIndexOf('/') + 1).includes(word))

/** The totals of a folder. */
export async function totalsOf(indexed: Pick<Indexed, 'store' | 'index'>, folder = ROOT) {
  const entry = await indexed.store.stat(folder)
  return entry && (await usageOf({ ...indexed, policy: policyFor(ACTOR, []) }, entry, true)).below
}

async function topOf(store: StorageDriver) {
  const top = await store.stat(ROOT)
  if (!top) throw new Error('no root')
  return top
}

/** Everything below the root, from the index and by a walk: each entry with its kind and, for a file, its size. */
async function bothWays(index: Indexed, policy: Policy): Promise<{ known: string[]; walked: string[] }> {
  const store = await index.store.within(ROOT, policy.sees)
  const top = await topOf(store)
  const line = ({ path, kind, size }: { path: string; kind: string; size: number }) =>
    `${path} ${kind} ${kind === 'file' ? size : ''}`
  const known: string[] = []
  for await (const entry of findNames({ ...index, store, policy }, top, [], live)) known.push(line(entry))
  const walked: string[] = []
  for await (const { entry } of walk(store, policy, ROOT)) if (entry) walked.push(line(entry))
  return { known, walked }
}

/** Files, folders and bytes below the root, from the index and by a walk. */
async function totalsBothWays(index: Indexed, policy: Policy) {
  const store = await index.store.within(ROOT, policy.sees)
  const top = await topOf(store)
  const { state, total, items } = await folderSizes({ ...index, store, policy }, top, { most: 1000 }, live)
  const { bytes, files, folders } = total
  const walked = { bytes: 0, files: 0, folders: 0 }
  for await (const { entry } of walk(store, policy, ROOT)) {
    if (!entry || entry.isLink) continue
    if (entry.kind === 'folder') walked.folders += 1
    if (entry.kind !== 'file') continue
    walked.files += 1
    walked.bytes += entry.size
  }
  const named = items.reduce((sum, item) => sum + item.bytes, 0)
  return { state, indexed: { bytes, files, folders, named }, walked: { ...walked, named: walked.bytes } }
}

export async function expectSame(index: Indexed): Promise<void> {
  expect(await index.index.find(ROOT, []), JSON.stringify(index.events)).toBeDefined()
  for (const policy of POLICIES) {
    const { known, walked } = await bothWays(index, policy)
    expect(known).toEqual(walked)
    const sums = await totalsBothWays(index, policy)
    expect(sums.state).toBe('known')
    expect(sums.indexed).toEqual(sums.walked)
  }
}

/** Names that differ in many ways. */
export const NAMES = [
  'a',
  'B',
  'é',
  'Straße',
  'ΑΣ',
  'İx',
  '💩',
  '\uffee',
  'x%20',
  'b\udcff',
  '"q"',
  'a b',
  '.dot',
  'zz.tar.gz',
]

/** A reproducible random number generator (mulberry32). */
export function dice(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
