import type { ResourceItem } from '../../../../shared/api/resources.ts'

/** Names of a folder's note, the preferred one first. */
const NAMES = ['README.md', 'readme.md', 'README.txt']

/** The name of a new note. */
export const NOTE_NAME = 'README.md'

/** The note of a folder with these items, if there is one. */
export function readmeOf(items: readonly ResourceItem[]): ResourceItem | undefined {
  const found = items.filter(({ name, isDir }) => !isDir && NAMES.includes(name))
  return found.sort((a, b) => NAMES.indexOf(a.name) - NAMES.indexOf(b.name))[0]
}
