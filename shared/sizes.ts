/** What no files and folders add up to. */
export const NO_SUM = Object.freeze({ files: 0, folders: 0, bytes: 0, disk: 0, unread: 0 })

/** The largest things first; of those with the same size the first by name. */
export function largestOf<T extends { name: string; bytes: number }>(items: readonly T[], most: number): T[] {
  return items.toSorted((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1)).slice(0, most)
}
