import type { FilePath } from '../../../../shared/path.ts'
import type { KeptNote } from '../../kept.ts'
import { escapePath, placeOf } from './note.ts'

/** A former content of a file, as the list on the disk names it. */
export interface ListedVersion extends KeptNote {
  size: number
}

/**
 * A line of the list of versions: time, id, size, path and user, separated by tabs.
 * @param path below the home
 */
export function formatLine(path: string, { id, username, deletedAt, size }: ListedVersion): string {
  const user = encodeURIComponent(username.toWellFormed())
  return `${[new Date(deletedAt).toISOString(), id, size, escapePath(path), user].join('\t')}\n`
}

/**
 * Reads the list; lines that cannot be read are left out.
 * @param home the folder of the served root that the paths are relative to
 */
export function parseList(text: string, home: FilePath): Map<string, ListedVersion & { place: FilePath }> {
  const versions = new Map<string, ListedVersion & { place: FilePath }>()
  for (const line of text.split('\n')) {
    const [time = '', id = '', size = '', path = '', user = ''] = line.split('\t')
    const deletedAt = Date.parse(time)
    const place = placeOf(path, home)
    if (!place || !Number.isFinite(deletedAt) || id === '') continue
    versions.set(id, { id, size: Number(size) || 0, deletedAt, username: decoded(user), place })
  }
  return versions
}

function decoded(user: string): string {
  try {
    return decodeURIComponent(user)
  } catch {
    return ''
  }
}
