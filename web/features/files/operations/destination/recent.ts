import { type FilePath, PathError, parsePath } from '../../../../../shared/path.ts'
import { sessionStore } from '../../../../lib/session.ts'

/** Destinations that are remembered, for each user of this browser. */
const KEPT = 4

const keyOf = () => `filigree.recent.${sessionStore.get().user?.id ?? 0}`

/** Folders that something was moved or copied to lately, the last one first. */
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

/** For folders that turn out to be gone. */
export function forgetFolder(folder: FilePath): void {
  save(recentFolders().filter(other => other !== folder))
}

function save(folders: readonly FilePath[]): void {
  try {
    localStorage.setItem(keyOf(), JSON.stringify(folders))
  } catch {
    // Storage may be forbidden; nothing is suggested then.
  }
}
