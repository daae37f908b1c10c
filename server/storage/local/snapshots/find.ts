import { lstat, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Snapshot } from '../../snapshots.ts'
import { mountOf } from '../mounts.ts'
import { nativePath, textFrom } from '../native-path.ts'
import { namePattern, timeByPattern, timeInInfo, timeInName } from './time.ts'

/** A snapshot, and the folder that holds the state of another folder in it. */
export interface FoundSnapshot extends Snapshot {
  image: string
}

/** Bytes of snapper's description that are read. */
const MAX_INFO = 64 * 1024

/**
 * The snapshots of a folder: below it and every folder above it up to the top of its mount, in `.zfs/snapshot` (ZFS),
 * `.snapshots/<n>/snapshot` (snapper) and `.snapshot` (NetApp and others), and where patterns of the host say. A real
 * snapshot is a file system of its own: a folder of the same name that a user made is none.
 * @param folder its real path
 * @param patterns see `--snapshots`
 */
export async function findSnapshots(folder: string, patterns: readonly string[]): Promise<FoundSnapshot[]> {
  const found = await Promise.all([
    ...foldersUpTo(folder, mountOf(folder)).flatMap(top => [
      inFolder(join(top, '.zfs', 'snapshot'), 'zfs', top, folder),
      inFolder(join(top, '.snapshot'), 'folder', top, folder),
      inSnapper(top, folder),
    ]),
    ...patterns.map(pattern => byPattern(pattern, folder)),
  ])
  const ids = new Map(found.flat().map(snapshot => [snapshot.id, snapshot]))
  return [...ids.values()].sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1))
}

function foldersUpTo(folder: string, top: string): string[] {
  const folders = [folder]
  for (let at = folder; at !== top && at !== dirname(at); ) {
    at = dirname(at)
    folders.push(at)
  }
  return folders
}

/** The path of a folder in the state of another one above it. */
const imageIn = (state: string, top: string, folder: string) => join(state, folder.slice(top === '/' ? 0 : top.length))

async function inFolder(
  place: string,
  source: 'zfs' | 'folder',
  top: string,
  folder: string,
): Promise<FoundSnapshot[]> {
  const found = await Promise.all(
    (await namesIn(place)).map(async name => {
      const state = join(place, name)
      const madeAt = await snapshotTime(state, top)
      if (madeAt === undefined) return []
      return [{ id: state, name, time: timeInName(name) ?? madeAt, source, image: imageIn(state, top, folder) }]
    }),
  )
  return found.flat()
}

async function inSnapper(top: string, folder: string): Promise<FoundSnapshot[]> {
  const place = join(top, '.snapshots')
  const numbers = (await namesIn(place)).filter(name => /^\d+$/.test(name))
  const found = await Promise.all(
    numbers.map(async name => {
      const state = join(place, name, 'snapshot')
      const madeAt = await snapshotTime(state, top)
      if (madeAt === undefined) return []
      const info = await readFile(nativePath(join(place, name, 'info.xml')), 'utf8').catch(() => '')
      const time = timeInInfo(info.slice(0, MAX_INFO)) ?? madeAt
      return [{ id: state, name, time, source: 'snapper' as const, image: imageIn(state, top, folder) }]
    }),
  )
  return found.flat()
}

/** One name of a pattern has the time; `{top}` is the folder itself. */
async function byPattern(pattern: string, folder: string): Promise<FoundSnapshot[]> {
  const parts = pattern.replaceAll('{top}', folder).split('/')
  const at = parts.findIndex(part => part.includes('%'))
  if (at < 0) return []
  const place = parts.slice(0, at).join('/') || '/'
  const named = namePattern(parts[at] ?? '')
  return (await namesIn(place)).flatMap(name => {
    const match = named.exec(name)
    const time = match ? timeByPattern(match) : undefined
    const state = join(place, name, ...parts.slice(at + 1))
    return time === undefined ? [] : [{ id: state, name, time, source: 'pattern' as const, image: state }]
  })
}

/** The names in a folder; none where it is missing or a link. */
async function namesIn(place: string): Promise<string[]> {
  try {
    if (!(await lstat(nativePath(place))).isDirectory()) return []
    return (await readdir(nativePath(place), 'buffer')).map(textFrom)
  } catch {
    return []
  }
}

/** When the status of a snapshot's root changed last; `undefined` for what is no file system of its own. */
async function snapshotTime(state: string, top: string): Promise<number | undefined> {
  try {
    const [own, around] = await Promise.all([state, top].map(place => lstat(nativePath(place))))
    return own?.isDirectory() && own.dev !== around?.dev ? own.ctimeMs : undefined
  } catch {
    return undefined
  }
}
