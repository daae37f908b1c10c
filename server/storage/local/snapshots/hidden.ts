import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { nativePath, readNamesSync } from '../native-path.ts'

/** The names of folders in which file systems and their tools keep snapshots, and where these are in them. */
const PLACES: Readonly<Record<string, { in: string; state: string }>> = {
  '.zfs': { in: 'snapshot', state: '' },
  '.snapshot': { in: '', state: '' },
  '.snapshots': { in: '', state: 'snapshot' },
}

/** A folder in a snapshot: what the snapshot is of, and the way from its top. */
const IN_SNAPSHOT = /^(.*?)\/(?:\.snapshots\/\d+\/snapshot|\.zfs\/snapshot\/[^/]+|\.snapshot\/[^/]+)(\/.*)?$/s

/** Milliseconds for which an answer is cached. */
const BELIEVED = 5000
/** Names that are read in such a folder, as one snapshot is enough; and answers that are cached. */
const MOST_NAMES = 100
const answers = new Map<string, { at: number; holds: boolean }>()

/** Whether a name may be that of a folder of snapshots: `isSnapshotFolder` decides it. */
export const mayBeSnapshots = (name: string): boolean => name.startsWith('.') && Object.hasOwn(PLACES, name)

/**
 * Whether a name in a folder is that of a folder of snapshots: one that holds another file system where snapshots are. One
 * that a user made holds none. In a snapshot it holds none either, as a snapshot ends at other file systems: the folder of
 * now decides. Reads the disk for such names only.
 * @param folder its real path
 */
export function isSnapshotFolder(folder: string, name: string): boolean {
  if (!mayBeSnapshots(name)) return false
  const place = join(folder, name)
  const known = answers.get(place)
  if (known && performance.now() - known.at < BELIEVED) return known.holds
  if (answers.size >= MOST_NAMES) answers.clear()
  const holds = holdsSnapshot(folder, name) || isSnapshotFolderNow(folder, name)
  answers.set(place, { at: performance.now(), holds })
  return holds
}

/** For a folder in a snapshot: whether the name is that of a folder of snapshots in the same folder of now. */
function isSnapshotFolderNow(folder: string, name: string): boolean {
  const [, top, inner = ''] = IN_SNAPSHOT.exec(folder) ?? []
  return top !== undefined && isSnapshotFolder(top + inner || '/', name)
}

function holdsSnapshot(folder: string, name: string): boolean {
  const { in: inner = '', state = '' } = PLACES[name] ?? {}
  const place = join(folder, name, inner)
  try {
    const { dev } = lstatSync(nativePath(folder))
    return readNamesSync(place)
      .slice(0, MOST_NAMES)
      .some(each => isOther(join(place, each, state), dev))
  } catch {
    return false
  }
}

function isOther(state: string, dev: number): boolean {
  const stat = lstatSync(nativePath(state), { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.dev !== dev
}
