import { type FilePath, isWithin, ROOT, trustedChild } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { Entry, FoundKept, KeptAt, KeptThings, PathGuard, StorageDriver } from '../../driver.ts'
import { entryOf, fileFacts } from '../object-metadata.ts'
import { headObject, listAll } from '../objects.ts'
import { readWhole } from '../read.ts'
import { unlessMissing } from '../s3-errors.ts'
import type { Scope } from '../scope.ts'
import {
  areaOf,
  copyKey,
  demandThisArea,
  filesIn,
  listKey,
  nameOfKey,
  notesIn,
  readNote,
  versionKey,
  versionsIn,
} from './area.ts'
import { bringBack, finishBringBack } from './bring-back.ts'
import { clear, drop } from './drop.ts'
import { readHeld } from './held.ts'
import { HeldStore } from './held-store.ts'
import { forgetsAfter } from './lifecycle.ts'
import type { Note } from './note.ts'
import { type ListedVersion, readPointer } from './replaced.ts'
import { finishSetAside, planKeep, setAside } from './set-aside.ts'

/** Deleted things and former contents in a bucket; see docs/design/history.md. */
export function keptIn(scope: Scope, driverOf: (scope: Scope) => StorageDriver): KeptThings {
  return {
    plan: (path, id) => planKeep(scope, path, id),
    setAside: (path, planned, note) => setAside(scope, path, planned, note),
    look: at => look(scope, at),
    bringBack: (at, to, how) => bringBack(scope, at, to, how),
    async complete({ name }, begun) {
      const note = await readNote(scope, name)
      if (note) await (begun === 'setAside' ? finishSetAside : finishBringBack)(scope, name, note)
    },
    open: (at, guard) => openKept(scope, at, guard, driverOf),
    async moveTo(at) {
      if (await look(scope, at)) return at
      throw new AppError('not_found')
    },
    drop: at => drop(scope, at),
    clear: at => clear(scope, at),
    find: at => find(scope, at),
    async area(home) {
      const area = home === ROOT ? await areaOf(scope) : undefined
      // A bucket has no size.
      return area === undefined
        ? undefined
        : { home, area, total: Number.POSITIVE_INFINITY, free: Number.POSITIVE_INFINITY }
    },
    forgetsAfter: () => forgetsAfter(scope),
    likelyHomes: () => [ROOT],
    hiddenPaths: async () => [],
  }
}

async function look(scope: Scope, at: KeptAt): Promise<Entry | undefined> {
  await demandThisArea(scope, at)
  const path = trustedChild(ROOT, at.name)
  if (at.kind === 'version') {
    const pointer = await readPointer(scope, at.name)
    const { key, version } = pointer ?? { key: versionKey(scope, at.name), version: undefined }
    const head = await unlessMissing(headObject(scope.client, key, version))
    return head && entryOf(path, pointer?.facts ?? fileFacts(head))
  }
  const note = await readNote(scope, at.name)
  return note && (await isThere(scope, at.name, note)) ? entryOf(path, note.was) : undefined
}

/** Whether what a note describes is still there; of a folder its marker decides. */
async function isThere({ client, ...scope }: Scope, name: string, { was, key, held }: Note): Promise<boolean> {
  if (!held) return (await unlessMissing(headObject(client, copyKey(scope, name, was.kind)))) !== undefined
  const [one] = held
  if (was.kind === 'folder') return true
  return one !== undefined && (await unlessMissing(headObject(client, key, one.version))) !== undefined
}

async function openKept(
  scope: Scope,
  at: KeptAt,
  guard: (inner: FilePath) => boolean,
  driverOf: (scope: Scope) => StorageDriver,
): Promise<StorageDriver> {
  if (!(await look(scope, at))) throw new AppError('not_found')
  const top = trustedChild(ROOT, at.name)
  const inner = (path: FilePath) => (path === top ? ROOT : (path.slice(top.length) as FilePath))
  const asked: PathGuard = path => path !== ROOT && isWithin(path, top) && guard(inner(path))
  const { base, client } = at.kind === 'version' ? await versionView(scope, at) : await trashView(scope, at)
  return driverOf({ ...scope, base, client, guard: asked, onListing: undefined })
}

async function trashView(scope: Scope, { name }: KeptAt): Promise<Pick<Scope, 'base' | 'client'>> {
  const note = await readNote(scope, name)
  const base = filesIn(scope)
  if (!note?.held) return { base, client: scope.client }
  const held = await readHeld(scope, name, note)
  return { base, client: new HeldStore(scope.client, held, note.key, copyKey(scope, name, note.was.kind)) }
}

async function versionView(scope: Scope, { name }: KeptAt): Promise<Pick<Scope, 'base' | 'client'>> {
  const pointer = await readPointer(scope, name)
  const base = versionsIn(scope)
  if (!pointer) return { base, client: scope.client }
  const { key, version, facts } = pointer
  const held = { rest: '', version, size: facts.size, etag: '', changed: '' }
  return { base, client: new HeldStore(scope.client, [held], key, versionKey(scope, name)) }
}

async function* find(scope: Scope, { home, area }: Pick<KeptAt, 'home' | 'area'>): AsyncGenerator<FoundKept> {
  await demandThisArea(scope, { area })
  for await (const { objects } of listAll(scope.client, notesIn(scope))) {
    for (const { key, etag } of objects) {
      const name = nameOfKey(key)
      const note = name === undefined ? undefined : await readNote(scope, name, etag)
      if (name === undefined || !note) continue
      const { id, username, deletedAt, place, was } = note
      const told = { id, username, deletedAt, place }
      yield { at: { home, area, name }, was: entryOf(trustedChild(ROOT, name), was), note: told }
    }
  }
  for await (const { objects } of listAll(scope.client, versionsIn(scope))) {
    for (const { key } of objects) {
      const name = nameOfKey(key)
      const at: KeptAt = { home, area, name: name ?? '', kind: 'version' }
      const was = name === undefined ? undefined : await look(scope, at)
      if (was) yield { at, was, note: await listedAs(scope, at.name) }
    }
  }
}

async function listedAs(scope: Scope, id: string): Promise<ListedVersion | undefined> {
  const text = await unlessMissing(readWhole(scope, listKey(scope, id)))
  return text && (JSON.parse(text.toString()) as ListedVersion)
}
