/** The totals of an empty folder. */
export const NO_SUM = Object.freeze({ files: 0, folders: 0, bytes: 0, disk: 0, unread: 0 })

/** The largest items first; those of the same size by name. */
export function largestOf<T extends { name: string; bytes: number }>(items: readonly T[], most: number): T[] {
  return items.toSorted((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1)).slice(0, most)
}
