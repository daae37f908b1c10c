import { type FilePath, parentOf, ROOT } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import { mapLimit } from '../../../lib/limit.ts'
import type { KeptAt } from '../../driver.ts'
import { ask } from '../../guard.ts'
import { fileKey, folderKey } from '../keys.ts'
import { fileFacts, newMeta } from '../object-metadata.ts'
import { headObject, listAll, listPage, putObject, removeVersions } from '../objects.ts'
import type { ListedObject } from '../page.ts'
import { checkRest, checkUnder } from '../remove.ts'
import { unlessMissing } from '../s3-errors.ts'
import type { Scope } from '../scope.ts'
import { demandFolder, standingAt } from '../stat.ts'
import { AT_ONCE, changed, copyAlong, copyTree, isSameCopy } from '../transfer.ts'
import { copyKey, demandThisArea, readNote, writeNote } from './area.ts'
import { endThing } from './drop.ts'
import { readHeld, withoutHeld } from './held.ts'
import type { Held, Note } from './note.ts'
import { purgeHeld } from './purge.ts'
import { erase, eraseUnder, type VersionListed, versionsUnder } from './versioning.ts'

/** What comes back: a kept thing, or an entry inside it. */
interface Source {
  name: string
  note: Note
  kind: 'file' | 'folder'
  facts: Pick<Note['was'], 'identity' | 'modified'>
  /** Its key below that of the thing, `''` for the thing itself. */
  rest: string
  /** The versions that it consists of; nothing where it is a copy. */
  held: Held[] | undefined
}

/** Gives a kept thing a path; see `KeptThings.bringBack`. */
export async function bringBack(
  scope: Scope,
  at: KeptAt,
  to: FilePath,
  { inner = ROOT, as }: { inner?: FilePath; as: FilePath },
): Promise<void> {
  if (to === ROOT) throw new AppError('exists')
  ask(scope.guard, to)
  await demandThisArea(scope, at)
  const note = await readNote(scope, at.name)
  const source = note && (await sourceIn(scope, at.name, note, inner))
  if (!source) throw new AppError('not_found')
  await demandParent(scope, to)
  const standing = await standingAt(scope, to)
  const isBegun = standing?.kind === source.kind && standing.facts.identity === source.facts.identity
  if (standing && !isBegun) throw new AppError('exists')
  if (source.kind === 'folder') for (const path of [as, to]) await demandAllowed(scope, source, path)
  const key = source.kind === 'folder' ? folderKey(scope.base, to) : fileKey(scope.base, to)
  const begun = inner === ROOT ? { ...note, to: key } : note
  if (inner === ROOT) await writeNote(scope, at.name, begun)
  await giveBack(scope, { ...source, note: begun }, key)
}

/** Completes what a killed process began. */
export async function finishBringBack(scope: Scope, name: string, note: Note): Promise<void> {
  if (note.to === undefined) return
  const [{ objects }, source] = await Promise.all([
    listPage(scope.client, note.to, { most: 1 }),
    sourceIn(scope, name, note, ROOT),
  ])
  if (!objects[0] || !source) return
  const head = await unlessMissing(headObject(scope.client, note.to))
  // Nothing is there, or another object: the thing stays where it is.
  if (head && fileFacts(head).identity === source.facts.identity) await giveBack(scope, source, note.to)
}

async function sourceIn(scope: Scope, name: string, note: Note, inner: FilePath): Promise<Source | undefined> {
  const all = note.held && (await readHeld(scope, name, note))
  const whole = { name, note }
  if (inner === ROOT) {
    const kind = note.was.kind === 'folder' ? 'folder' : 'file'
    const isThere = all || (await unlessMissing(headObject(scope.client, copyKey(scope, name, kind))))
    return isThere && { ...whole, kind, facts: note.was, rest: '', held: all }
  }
  const rest = fileKey('', inner)
  const folder = all
    ? all.some(held => held.rest.startsWith(`${rest}/`))
    : (await listPage(scope.client, `${copyKey(scope, name, 'folder')}${rest}/`, { most: 1 })).objects.length > 0
  const own = folder ? `${rest}/` : rest
  const held = all?.filter(one => (folder ? one.rest.startsWith(own) : one.rest === own))
  const head = await headOf(scope, { name, note, held }, own)
  if (!folder && !head) return undefined
  const facts = head ? fileFacts(head) : { identity: '', modified: 0 }
  return { ...whole, kind: folder ? 'folder' : 'file', facts, rest: own, held }
}

function headOf(scope: Scope, { name, note, held }: Pick<Source, 'name' | 'note' | 'held'>, rest: string) {
  if (!held) return unlessMissing(headObject(scope.client, copyKey(scope, name, 'folder') + rest))
  const one = held.find(version => version.rest === rest)
  return one && unlessMissing(headObject(scope.client, note.key + rest, one.version))
}

async function demandParent(scope: Scope, to: FilePath): Promise<void> {
  await demandFolder(scope, parentOf(to)).catch(thrown => {
    throw thrown instanceof AppError && thrown.code === 'not_a_folder' ? new AppError('not_found') : thrown
  })
}

/** @throws forbidden */
async function demandAllowed(scope: Scope, { name, rest, held }: Source, as: FilePath): Promise<void> {
  if (!scope.guard) return
  if (!held) return checkUnder(scope, copyKey(scope, name, 'folder') + rest, as)
  for (const one of held) checkRest(scope, one.rest.slice(rest.length), as)
}

async function giveBack(scope: Scope, source: Source, key: string): Promise<void> {
  const { name, note, rest, held } = source
  const shown = held && (await showVersions(scope, source, held, key))
  if (!held) await copyBack(scope, source, key)
  // What is current now belongs to the file, and may be one of its versions soon.
  const left = held?.filter(one => !shown?.has(note.key + one.rest))
  if (rest === '') {
    const { pages: _pages, ...alone } = note
    return endThing(scope, name, left ? { ...alone, held: left } : note)
  }
  if (!held || !left)
    return (source.kind === 'folder' ? eraseUnder : erase)(scope, copyKey(scope, name, 'folder') + rest)
  const isGone = (other: string) => (source.kind === 'folder' ? other.startsWith(rest) : other === rest)
  await writeNote(scope, name, { ...note, ...(await withoutHeld(scope, name, note, isGone)) })
  await purgeHeld(scope, note.key, left)
}

async function copyBack(scope: Scope, { name, kind, facts, rest, note }: Source, key: string): Promise<void> {
  const from = copyKey(scope, name, note.was.kind) + rest
  if (kind === 'folder') return copyTree(scope, { from, to: key }, facts, { begun: await isThere(scope, key) })
  await copyAlong(scope, { key: from }, key)
  const [ours, copy] = await Promise.all([from, key].map(one => headObject(scope.client, one)))
  if (!ours || !copy || !isSameCopy(ours, copy) || fileFacts(copy).identity !== facts.identity) throw changed()
}

const isThere = async (scope: Scope, key: string): Promise<boolean> =>
  (await listPage(scope.client, key, { most: 1 })).objects.length > 0

/**
 * Makes versions current again: where nothing else came after them by removing what hides them, else by copies.
 * @returns the keys whose version is current
 * @throws unavailable when not all of them are there afterwards
 */
async function showVersions(
  scope: Scope,
  { note, kind, facts, rest }: Source,
  held: readonly Held[],
  key: string,
): Promise<ReadonlySet<string>> {
  const old = note.key + rest
  const versions = new Map(held.map(one => [note.key + one.rest, one.version]))
  if (kind === 'folder' && key !== old) {
    await putObject(scope.client, key, Buffer.alloc(0), newMeta(facts.modified, facts.identity), undefined)
  }
  const shown = key === old ? await unhide(scope, old, versions) : new Set<string>()
  const copied = [...versions].filter(([one]) => !shown.has(one) && (kind === 'file' || one !== old || key === old))
  await mapLimit(copied, AT_ONCE, ([one, version]) =>
    copyAlong(scope, { key: one, version }, key + one.slice(old.length)),
  )
  await demandShown(scope, held, { rest, key, kind })
  return shown
}

/** @returns the keys whose version is current now */
async function unhide(scope: Scope, prefix: string, versions: ReadonlyMap<string, string>): Promise<Set<string>> {
  const shown = new Set<string>()
  const markers: VersionListed[] = []
  for await (const all of versionsUnder(scope.client, prefix)) {
    const above = all.findIndex(({ isMarker }) => !isMarker)
    const newest = all[above]
    if (!newest || versions.get(newest.key) !== newest.version) continue
    shown.add(newest.key)
    markers.push(...all.slice(0, above))
  }
  await removeVersions(scope.client, markers)
  return shown
}

async function demandShown(
  scope: Scope,
  held: readonly Held[],
  { rest, key, kind }: { rest: string; key: string; kind: Source['kind'] },
): Promise<void> {
  const there = new Map<string, ListedObject>()
  for await (const { objects } of listAll(scope.client, key)) {
    for (const object of objects) there.set(object.key, object)
    if (kind === 'file') break
  }
  for (const one of held) {
    const copy = there.get(key + one.rest.slice(rest.length))
    const isMarker = kind === 'folder' && one.rest === rest
    if (!copy || !(isMarker || isSameCopy(one, copy))) throw changed()
  }
}
