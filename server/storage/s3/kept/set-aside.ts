import { type FilePath, joinPath, nameOf, ROOT } from '../../../../shared/path.ts'
import { AppError, asAppError } from '../../../errors.ts'
import type { Entry, KeptAt, KeptNote } from '../../driver.ts'
import { ask } from '../../guard.ts'
import { keptName } from '../../kept-name.ts'
import { fileKey, folderKey } from '../keys.ts'
import { copiedMeta, entryOf, fileFacts, newMeta } from '../object-metadata.ts'
import {
  copyObject,
  headObject,
  listAll,
  type ObjectHead,
  putObject,
  removeObject,
  removeVersions,
} from '../objects.ts'
import { checkTree } from '../remove.ts'
import { unlessMissing } from '../s3-errors.ts'
import type { Scope } from '../scope.ts'
import { type Standing, standingAt } from '../stat.ts'
import { copyTree, isSameCopy, removeCopied } from '../transfer.ts'
import { copyKey, demandArea, demandThisArea, eraseNote, pagesOf, writeNote } from './area.ts'
import { readHeld, writeHeld } from './held.ts'
import type { Held, Note } from './note.ts'
import { eachOf } from './purge.ts'
import { erase, eraseUnder, isVersioned, type VersionListed, versionsOf, versionsUnder } from './versioning.ts'

/** What would be kept, and where; see `KeptThings.plan`. */
export async function planKeep(scope: Scope, path: FilePath, id: string) {
  if (path === ROOT) throw new AppError('forbidden')
  ask(scope.guard, path)
  const standing = await standingAt(scope, path)
  if (!standing) throw new AppError('not_found')
  const at: KeptAt = { home: ROOT, area: await demandArea(scope), name: keptName(nameOf(path), id) }
  return { at, was: entryOf(path, standing.facts), place: joinPath(scope.rootPath, path) }
}

/** Keeps what was planned; see `KeptThings.setAside`. */
export async function setAside(
  scope: Scope,
  path: FilePath,
  { at, was }: { at: KeptAt; was: Entry },
  note: KeptNote,
): Promise<void> {
  ask(scope.guard, path)
  await demandThisArea(scope, at)
  const standing = await standingAt(scope, path)
  if (standing?.kind !== was.kind || standing.facts.identity !== was.identity) throw new AppError('not_found')
  if (standing.kind === 'folder') await checkTree(scope, path)
  const key = standing.kind === 'folder' ? folderKey(scope.base, path) : fileKey(scope.base, path)
  const whole: Note = { ...note, place: joinPath(scope.rootPath, path), key, was: standing.facts }
  const isOn = await isVersioned(scope, { fresh: true })
  await scope.locks.run(key, () => (isOn ? keepVersions : keepCopies)(scope, at.name, whole, standing))
}

/** Completes what a killed process began; nothing where it had not written the note. */
export async function finishSetAside(scope: Scope, name: string, note: Note): Promise<void> {
  await keepParent(scope, note.key)
  if (note.held) await hideVersions(scope, note.key, await readHeld(scope, name, note))
  else if (note.was.kind === 'folder') await removeCopied(scope, wayOf(scope, name, note))
  else {
    const [ours, copy] = await headsOf(scope, note.key, copyKey(scope, name, 'file'))
    if (ours && copy && isCopyOf(ours, copy)) await removeObject(scope.client, note.key)
  }
}

const wayOf = (scope: Scope, name: string, { key }: Pick<Note, 'key'>) => ({
  from: key,
  to: copyKey(scope, name, 'folder'),
})

const headsOf = (scope: Scope, ...keys: string[]) =>
  Promise.all(keys.map(key => unlessMissing(headObject(scope.client, key))))

const isCopyOf = (ours: ObjectHead, copy: ObjectHead): boolean =>
  isSameCopy(ours, copy) && ours.changed <= copy.changed && fileFacts(ours).identity === fileFacts(copy).identity

/** The folder that holds a thing stays when the last thing leaves it. */
async function keepParent({ client, area }: Scope, key: string): Promise<void> {
  const parent = key.slice(0, key.lastIndexOf('/', key.length - 2) + 1)
  // The area is in the root, which needs no marker.
  if (area.startsWith(parent)) return
  await putObject(client, parent, Buffer.alloc(0), newMeta(), { ifAbsent: true }).catch(thrown => {
    if (!['precondition_failed', 'no_space'].includes(asAppError(thrown).code)) throw thrown
  })
}

async function keepCopies(scope: Scope, name: string, note: Note, standing: Standing): Promise<void> {
  const copy = copyKey(scope, name, standing.kind)
  try {
    if (standing.kind === 'folder') {
      await demandFew(scope, note.key)
      await copyTree(scope, wayOf(scope, name, note), standing.facts)
    } else await copyFile(scope, standing, copy, note.was.identity)
    await writeNote(scope, name, note)
  } catch (thrown) {
    await (standing.kind === 'folder' ? eraseUnder : erase)(scope, copy).catch(() => {})
    throw thrown
  }
  await keepParent(scope, note.key)
  if (standing.kind === 'folder') return void (await removeCopied(scope, wayOf(scope, name, note)))
  const now = await unlessMissing(headObject(scope.client, note.key))
  if (now?.etag === standing.head.etag) return removeObject(scope.client, note.key)
  // Another program replaced or removed the file: it was not deleted.
  await eraseNote(scope, name)
  await erase(scope, copy)
  throw new AppError('not_found')
}

/** @throws too_far */
async function demandFew({ client, kept }: Scope, prefix: string): Promise<void> {
  let count = 0
  for await (const { objects } of listAll(client, prefix)) {
    count += objects.length
    if (count > kept.most) throw new AppError('too_far')
  }
}

/** @throws not_found when another object is there */
async function copyFile(
  { client }: Scope,
  { key, head, facts }: Standing & { kind: 'file' },
  to: string,
  identity: string,
): Promise<void> {
  const meta = copiedMeta(head, newMeta(facts.modified, identity))
  await copyObject(client, { key, head }, to, meta, undefined).catch(thrown => {
    throw asAppError(thrown).code === 'precondition_failed' ? new AppError('not_found') : thrown
  })
}

async function keepVersions(scope: Scope, name: string, note: Note, standing: Standing): Promise<void> {
  const { client } = scope
  const held = await currentVersions(scope, note)
  if (standing.kind === 'file') {
    const version = held[0]?.version
    const head = version === undefined ? undefined : await headObject(client, note.key, version)
    if (!head || fileFacts(head).identity !== note.was.identity) throw new AppError('not_found')
  }
  try {
    await writeNote(scope, name, { ...note, ...(await writeHeld(scope, name, held)) })
  } catch (thrown) {
    await eraseUnder(scope, pagesOf(scope, name)).catch(() => {})
    throw thrown
  }
  await keepParent(scope, note.key)
  const stayed = await hideVersions(scope, note.key, held)
  if (standing.kind === 'folder' || !stayed) return
  await eraseNote(scope, name)
  throw new AppError('not_found')
}

/** The version of each object of a thing that is not a former one. */
async function currentVersions({ client }: Scope, { key, was }: Note): Promise<Held[]> {
  const held: Held[] = []
  const add = (newest: VersionListed | undefined) => {
    if (!newest || newest.isMarker) return
    const { version, size, etag, changed } = newest
    held.push({ rest: newest.key.slice(key.length), version, size, etag, changed })
  }
  if (was.kind === 'file') add((await versionsOf(client, key))[0])
  else for await (const [newest] of versionsUnder(client, key)) add(newest)
  return held
}

/**
 * Removes the current versions of a thing, which become former ones. What another program wrote in the meantime is current
 * again afterwards.
 * @returns whether there was any
 */
async function hideVersions(scope: Scope, key: string, held: readonly Held[]): Promise<boolean> {
  const versions = new Map(held.map(({ rest, version }) => [key + rest, version]))
  const hidden: string[] = []
  let stayed = false
  for await (const [newest] of eachOf(scope.client, key, held)) {
    const version = newest && versions.get(newest.key)
    if (version === undefined || newest?.isMarker) continue
    if (newest?.version === version) hidden.push(newest.key)
    else stayed = true
  }
  await removeVersions(
    scope.client,
    hidden.map(one => ({ key: one })),
  )
  const wrong: VersionListed[] = []
  const ours = new Set(hidden)
  for await (const [marker, below] of eachOf(scope.client, key, held)) {
    if (!marker?.isMarker || !ours.has(marker.key) || !below || below.isMarker) continue
    if (below.version !== versions.get(marker.key)) wrong.push(marker)
  }
  await removeVersions(scope.client, wrong)
  return stayed || wrong.length > 0
}
