import { randomUUID } from 'node:crypto'
import { lstat, readdir, readFile, rename, statfs, unlink } from 'node:fs/promises'
import { type FilePath, isWithin, ROOT, trustedChild } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { Entry, FoundKept, KeptArea, KeptAt, KeptThings, StorageDriver } from '../../driver.ts'
import { isInCan, OWN_CAN, SHARED_CANS } from '../desktop-can.ts'
import { errnoOf, translated, translating } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle } from '../handle.ts'
import { isMountPoint, mountsBelow } from '../mounts.ts'
import { nativePath, textFrom } from '../native-path.ts'
import { removeTree } from '../remove.ts'
import type { Scope } from '../resolve-path.ts'
import { entryOf } from '../stat.ts'
import { areaName } from '../temp-names.ts'
import { areaIn, type OpenArea, openArea } from './area.ts'
import { bringBack } from './bring-back.ts'
import { CANS, leavingOf } from './can.ts'
import { realOf } from './homes.ts'
import { findVersions, moveVersion } from './keep-replaced.ts'
import { parseForeignNote, parseNote } from './note.ts'
import { noteName, planKeep, removeNote, setAside, writeNote } from './set-aside.ts'
import { holdFilesOf } from './version-folder.ts'

/** Deleted things on a disk; see docs/design/history.md. */
export function keptIn(scope: Scope, driverOf: (scope: Scope) => StorageDriver): KeptThings {
  return {
    plan: (path, id) => planKeep(scope, path, id),
    setAside: (path, planned, note, how) => setAside(scope, path, planned, note, how),
    exchanges: scope.kernel !== undefined && scope.level === 'handles',
    look: at => unlessMissing(inFiles(scope, at, files => entryIn(files, at.name))),
    bringBack: (at, to, how) => bringBack(scope, at, to, how),
    open: (at, guard) => openKept(scope, at, guard, driverOf),
    moveTo: (at, to) => inArea(scope, to, goal => moveTo(scope, at, goal)),
    drop: at => unlessMissing(inFiles(scope, at, (files, area) => drop(scope, area, files, at))),
    clear: at => inArea(scope, at, area => clear(scope, area)),
    leaving: at => inArea(scope, at, async ({ leaving }) => (leaving ? (await readdir(leaving.at)).length : 0)),
    find: at => find(scope, at),
    async area(home) {
      const area = await areaIn(scope, home, { make: false })
      return area && describeArea(area)
    },
    async cans() {
      const found: KeptArea[] = []
      for (const home of mountedIn(scope)) {
        for (const open of CANS) {
          const can = await open(scope, home, { make: false }).catch(() => undefined)
          if (can) found.push(await describeArea(can))
        }
      }
      return found
    },
    async unsafe() {
      const found: string[] = []
      for (const home of [ROOT, ...mountsBelow(scope.opened).map(path => `/${path}` as FilePath)]) {
        const real = `${realOf(scope, home).replace(/\/$/, '')}/${areaName(scope.stagingKey)}`
        if (!(await lstat(nativePath(real)).catch(() => undefined))) continue
        const area = await areaIn(scope, home, { make: false }).catch(() => undefined)
        area?.close()
        if (!area) found.push(real)
      }
      return found
    },
    likelyHomes: () => [ROOT, ...mountsBelow(scope.opened).map(path => `/${path}` as FilePath)],
    async hiddenPaths() {
      const homes = ['', ...mountsBelow(scope.root)]
      const inHomes = (name: string) => homes.map(home => [scope.root, home, name].filter(Boolean).join('/'))
      const cans = [SHARED_CANS, OWN_CAN].flatMap(inHomes).filter(path => isInCan(path))
      const paths = [...inHomes(areaName(scope.stagingKey)), ...cans]
      const there = await Promise.all(paths.map(path => isFolder(path)))
      return paths.filter((_, index) => there[index])
    },
  }
}

async function inArea<T>(
  scope: Scope,
  at: Pick<KeptAt, 'home' | 'area'>,
  act: (area: OpenArea) => Promise<T>,
): Promise<T> {
  const area = await openArea(scope, at)
  try {
    return await translating(() => act(area))
  } finally {
    area.close()
  }
}

/** The same with the folder that holds a kept item. @throws not_found when the area has no such folder */
function inFiles<T>(scope: Scope, at: KeptAt, act: (files: Handle, area: OpenArea) => Promise<T>): Promise<T> {
  return inArea(scope, at, async area => {
    const files = await holdFilesOf(scope, area, at)
    try {
      return await act(files, area)
    } finally {
      if (files !== area.files) files.close()
    }
  })
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') return undefined
    throw thrown
  }
}

async function entryIn(files: Handle, name: string): Promise<Entry | undefined> {
  try {
    const stat = await lstat(below(files, name), { bigint: true })
    const path = trustedChild(ROOT, name)
    return entryOf(path, path, { stat }, stat.isSymbolicLink())
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}

async function openKept(
  scope: Scope,
  at: KeptAt,
  guard: (inner: FilePath) => boolean,
  driverOf: (scope: Scope) => StorageDriver,
): Promise<StorageDriver> {
  const top = trustedChild(ROOT, at.name)
  const innerOf = (path: FilePath) => (path === top ? ROOT : (path.slice(top.length) as FilePath))
  return inFiles(scope, at, async files => {
    if (!(await entryIn(files, at.name))) throw new AppError('not_found')
    return driverOf({
      ...scope,
      root: files.real,
      followsOut: false,
      proxied: undefined,
      guard: path => isWithin(path, top) && path !== ROOT && guard(innerOf(path)),
    })
  })
}

async function moveTo(scope: Scope, at: KeptAt, to: OpenArea): Promise<KeptAt> {
  return inFiles(scope, at, (files, area) =>
    at.kind === 'version' ? moveVersion(scope, at, { from: area, files, to }) : moveItem(area, to, at.name),
  )
}

async function moveItem(from: OpenArea, to: OpenArea, name: string): Promise<KeptAt> {
  const text = await readFile(below(from.notes, noteName(name)), 'utf8').catch(() => '')
  const note = parseNote(text, from.home)
  if (note) await writeNote(to, name, note.place, note)
  await rename(below(from.files, name), below(to.files, name)).catch(async thrown => {
    await removeNote(to.notes, name)
    throw thrown
  })
  await Promise.all([from.files, to.files, to.notes].map(syncFolder))
  await removeNote(from.notes, name)
  return { home: to.home, area: to.area, name }
}

async function drop(scope: Scope, area: OpenArea, files: Handle, { name, kind }: KeptAt): Promise<void> {
  const leaving = await leavingOf(scope, area)
  try {
    await rename(below(files, name), below(leaving, goneName(area, name)))
    await syncFolder(files)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw thrown
  } finally {
    if (leaving !== area.leaving) leaving.close()
  }
  if (kind !== 'version') await removeNote(area.notes, name)
}

/** A name among what is being deleted for good: those of other programs are not unique. */
const goneName = ({ isCan }: OpenArea, name: string) => (isCan ? `${Date.now()}-${randomUUID()}` : name)

async function clear(scope: Scope, area: OpenArea): Promise<void> {
  const { leaving } = area
  if (!leaving) return
  const unguarded = { ...scope, guard: undefined }
  for (const name of (await readdir(nativePath(leaving.at), 'buffer')).map(textFrom)) {
    const at = below(leaving, name)
    const item = { folder: leaving, name, canonical: trustedChild(ROOT, name) }
    const stat = await lstat(at).catch(() => undefined)
    // What cannot be removed does not hold up the rest.
    if (stat?.isDirectory()) await removeTree(unguarded, item).catch(() => {})
    else if (stat) await unlink(at).catch(() => {})
  }
  if (!area.isCan) await clearNotes(area).catch(() => {})
}

/** Milliseconds after which a note without its thing is of no operation that is under way. */
const OLD_NOTE = 3_600_000

/** Removes notes whose things are gone: their removal failed, or people took the things out. */
async function clearNotes({ files, notes }: OpenArea): Promise<void> {
  const namesIn = async (folder: Handle) => (await readdir(nativePath(folder.at), 'buffer')).map(textFrom)
  const noted = await namesIn(notes)
  const there = new Set((await namesIn(files)).map(noteName))
  for (const name of noted.filter(note => !there.has(note))) {
    const at = below(notes, name)
    const { mtimeMs } = await lstat(at)
    if (mtimeMs < Date.now() - OLD_NOTE) await unlink(at)
  }
}

async function* find(scope: Scope, place: Pick<KeptAt, 'home' | 'area'>): AsyncGenerator<FoundKept> {
  const area = await openArea(scope, place)
  try {
    for (const name of (await readdir(nativePath(area.files.at), 'buffer')).map(textFrom)) {
      const was = await entryIn(area.files, name)
      if (!was) continue
      const text = await readFile(below(area.notes, noteName(name)), 'utf8').catch(() => '')
      const note = area.isCan ? parseForeignNote(text, place.home, name) : parseNote(text, place.home)
      yield { at: { home: place.home, area: place.area, name }, was, note }
    }
    if (!area.isCan) yield* findVersions(scope, area)
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    area.close()
  }
}

async function describeArea({ home, area, files, notes, isCan, close }: OpenArea): Promise<KeptArea> {
  try {
    const { blocks, bavail, bsize } = await statfs(nativePath(files.at))
    const stamp = [files, notes].map(({ stat }) => stat.mtimeNs).join('/')
    return { home, area, total: blocks * bsize, free: bavail * bsize, ...(isCan && { stamp }) }
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    close()
  }
}

/** Folders of the served root that are the tops of mounted disks. */
const mountedIn = ({ opened }: Scope): FilePath[] => [
  ...(isMountPoint(opened) ? [ROOT] : []),
  ...mountsBelow(opened).map(path => `/${path}` as FilePath),
]

const isFolder = (path: string) =>
  lstat(nativePath(path)).then(
    stat => stat.isDirectory(),
    () => false,
  )
