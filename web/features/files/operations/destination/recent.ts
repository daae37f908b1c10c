import { type FilePath, PathError, parsePath } from '../../../../../shared/path.ts'
import { sessionStore } from '../../../../lib/session.ts'

/** Destinations remembered for each user of this browser. */
const KEPT = 5

const keyOf = () => `filigree.recent.${sessionStore.get().user?.id ?? 0}`

/** Recent destinations of moves and copies, latest first. */
export function recentFolders(): FilePath[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap(pathOf) : []
  } catch {
    return []
  }
}

function pathOf(text: unknown): FilePath[] {
  try {
    return [parsePath(String(text))]
  } catch (error) {
    if (error instanceof PathError) return []
    throw error
  }
}

export function rememberFolder(folder: FilePath): void {
  save([folder, ...recentFolders().filter(other => other !== folder)].slice(0, KEPT))
}

/** Forgets folders that no longer exist. */
export function forgetFolder(folder: FilePath): void {
  save(recentFolders().filter(other => other !== folder))
}

function save(folders: readonly FilePath[]): void {
  try {
    localStorage.setItem(keyOf(), JSON.stringify(folders))
  } catch {
    // Storage may be unavailable; there are no suggestions then.
  }
}
