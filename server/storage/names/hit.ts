/** A hit: its path relative to the queried folder, without a leading slash. */
export interface Hit {
  path: string
  fact: number
  disk: number
}

/** Walk order: a folder comes before its content, and paths are compared name by name. */
export function inOrder(hits: Hit[]): Hit[] {
  const keyed = hits.map(hit => ({ hit, key: orderOf(hit.path) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ hit }) => hit)
}

/** Sort key of a path in walk order. */
export const orderOf = (path: string): string => path.replaceAll('/', '\0')
