/** Something found: its path relative to the folder that was asked for, without a leading slash. */
export interface Found {
  path: string
  fact: number
  disk: number
}

/** In the order of a walk a folder comes before all that is in it, and names are compared one by one. */
export function inOrder(hits: Found[]): Found[] {
  const keyed = hits.map(hit => ({ hit, key: orderOf(hit.path) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ hit }) => hit)
}

/** What paths are compared by in the order of a walk. */
export const orderOf = (path: string): string => path.replaceAll('/', '\0')
