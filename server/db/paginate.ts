import { setImmediate as othersFirst } from 'node:timers/promises'

/** Rows per page. */
export const PAGE = 250

/**
 * All rows of a long list, one page at a time: SQLite is read on the event loop's thread, which serves requests between
 * the pages.
 * @param page returns at most `PAGE` rows in key order, those after the given row
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
