import type { PgClient, Value } from './client.ts'
import { PAGE_COLUMNS, pageIn, type SharedPage } from './page-rows.ts'
import { placeOf, placesAround, placesBelow } from './places.ts'

/** A part of a walk. */
export interface WalkResult {
  /** Pages that may contain matches. */
  pages: SharedPage[]
  /** Number of pages walked, and the place of the last one; `undefined` if there was none. */
  count: number
  last: Uint8Array | undefined
}

/** Queries pages below a folder, in walk order. */
export class PageQueries {
  readonly #client: PgClient
  readonly #tables: string

  /** @param tables prefix of the table names */
  constructor(client: PgClient, tables: string) {
    this.#client = client
    this.#tables = tables
  }

  /** Estimated number of pages. */
  async countPages(): Promise<number> {
    const guess = await this.#client.one(
      'select reltuples as count from pg_class where oid = $1::regclass',
      `${this.#tables}_pages`,
    )
    if (Number(guess?.count) >= 0) return Number(guess?.count)
    return Number((await this.#client.one(`select count(*) as count from ${this.#tables}_pages`))?.count)
  }

  /**
   * The next pages after a path, and the pages before it that contain later names. @param parts see `partsOf`
   * @param after `undefined` for the first ones
   */
  async walk(folder: string, after: string | undefined, parts: readonly string[], most: number): Promise<WalkResult> {
    const bound = new Bound()
    const holds = holding(parts, bound)
    const rows = await this.#client.all(
      `with walked as materialized (
        select * from ${this.#tables}_pages where ${this.#range(folder, after, bound)} order by place limit ${bound.add(most)}
      )
      select ${PAGE_COLUMNS}, null::bigint as count from walked where ${holds}
      union all (${this.#around(folder, after, holds, bound)})
      union all (
        select null, (select place from walked order by place desc limit 1), null, null, null, null, count(*) from walked
      )`,
      ...bound.values,
    )
    const end = rows.find(row => row.count !== null)
    return {
      pages: rows.filter(row => row !== end).map(pageIn),
      count: Number(end?.count),
      last: end?.place instanceof Uint8Array ? end.place : undefined,
    }
  }

  /** All pages after a path that may contain matches according to the trigrams, and those around it. */
  async withParts(
    folder: string,
    after: string | undefined,
    parts: readonly string[],
    most: number,
  ): Promise<SharedPage[]> {
    const bound = new Bound()
    const holds = holding(parts, bound)
    const rows = await this.#client.all(
      `(select ${PAGE_COLUMNS}, null::bigint as count from ${this.#tables}_pages
        where ${holds} and ${this.#range(folder, after, bound)} limit ${bound.add(most)})
      union all (${this.#around(folder, after, holds, bound)})`,
      ...bound.values,
    )
    return rows.map(pageIn)
  }

  #range(folder: string, after: string | undefined, bound: Bound): string {
    const { from, to } = placesBelow(folder)
    const range = `place > ${bound.add(after === undefined ? from : placeOf(after))}`
    return to === null ? range : `${range} and place < ${bound.add(to)}`
  }

  /** For each folder on the way to a path, the page that contains it, or the nearest one before it. */
  #around(folder: string, after: string | undefined, holds: string, bound: Bound): string {
    if (after === undefined) return `select ${PAGE_COLUMNS}, null::bigint from ${this.#tables}_pages where false`
    const around = placesAround(after).slice(folder === '' ? 0 : folder.split('/').length)
    return `select ${PAGE_COLUMNS.split(', ')
      .map(name => `around.${name}`)
      .join(', ')}, null::bigint from ${this.#tables}_folders as holder
      cross join lateral (
        select * from ${this.#tables}_pages as page where page.folder = holder.id and page.place <= ${bound.add(placeOf(after))}
        order by page.place desc limit 1
      ) as around
      where holder.place = any(${bound.add(around)}) and ${holds}`
  }
}

/** The parameters of a statement, with their placeholders. */
class Bound {
  readonly values: Value[] = []

  add(value: Value): string {
    return `$${this.values.push(value)}`
  }
}

/** Whether a page may contain a name with one of the parts; names that are not UTF-8 are not in the searched text. */
function holding(parts: readonly string[], bound: Bound): string {
  if (parts.length === 0 || parts.some(part => !part.isWellFormed())) return 'true'
  return `(${parts.map(part => `folded like ${bound.add(`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`)}`).join(' or ')})`
}
