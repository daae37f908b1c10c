import { setImmediate as othersFirst } from 'node:timers/promises'

/** Rows that are read at once. */
export const PAGE = 250

/**
 * All rows of a list that may be long, a page at a time: SQLite is read on the thread of all requests, which get their turn
 * in between.
 * @param page at most `PAGE` rows by their key, those behind the one that is given
 */
export async function inPages<Row, Item>(
  page: (after: Row | undefined) => Promise<Row[]>,
  read: (row: Row) => Item,
): Promise<Item[]> {
  const items: Item[] = []
  let after: Row | undefined
  for (;;) {
    const rows = await page(after)
    items.push(...rows.map(read))
    after = rows.at(-1)
    if (rows.length < PAGE) return items
    await othersFirst()
  }
}
