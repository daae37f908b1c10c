import { type FilePath, ROOT } from '../../../../shared/path.ts'
import { NO_SUM } from '../../../../shared/sizes.ts'
import type { KnownSum } from '../../driver.ts'
import type { Hit } from '../hit.ts'
import { itemsIn } from '../items.ts'
import { fromPageText, type Item, inPageOrder, type Known, type Page, pagesOf, toPageText } from '../name-pages.ts'
import { type KnownFolder, type NamesStore, TOP } from '../store.ts'
import { differenceOf, isNothing, readSum, setSum, sumOf, valuesOf } from '../sums.ts'
import { PageQueries } from './page-queries.ts'
import { PAGE_COLUMNS, pageIn, pageValues, type SharedPage } from './page-rows.ts'
import { pathAt, placeOf, placesBelow } from './places.ts'
import { seekShared } from './seek.ts'
import type { WaitingClient } from './sync-pg-client.ts'
import type { Row } from './sync-pg-protocol.ts'
import type { SharedTables } from './tables.ts'

/**
 * A name index in PostgreSQL: folders by place, their names in pages, and trigrams of those. All servers of one place
 * read it, and write their own changes; one server at a time does a full check.
 */
export class SharedNames implements NamesStore {
  /** Other servers wait that long. */
  readonly commitEvery = 100
  readonly isShared = true
  readonly #client: WaitingClient
  readonly #tables: SharedTables
  readonly #queries: PageQueries
  /** Prefix of the table names. */
  readonly #at: string

  /** @param tables that were opened */
  constructor(client: WaitingClient, tables: SharedTables) {
    this.#client = client
    this.#tables = tables
    this.#at = tables.name
    this.#queries = new PageQueries(client, tables.name)
  }

  close(): void {
    this.#client.close()
  }

  isComplete(): boolean {
    return this.#client.one(`select complete from ${this.#at}_about`)?.complete === true
  }

  beginCheck(within: number): boolean {
    if (!this.#tables.take('check')) return false
    const sql = `select complete and checked > now() - $1 * interval '1 millisecond' as done from ${this.#at}_about`
    if (this.#client.one(sql, within)?.done !== true) return true
    this.#tables.leave('check')
    return false
  }

  endCheck(): void {
    this.#client.run(`update ${this.#at}_about set complete = true, checked = now()`)
    this.#tables.leave('check')
    this.#client.run(`analyze ${this.#at}_pages`)
  }

  begin(): void {
    this.#tables.begin()
  }

  commit(): void {
    this.#client.run('commit')
  }

  reading<T>(read: () => T): T {
    return read()
  }

  folderAt(path: FilePath): number | undefined {
    if (path === ROOT) return TOP
    return idIn(this.#client.one(`select id from ${this.#at}_folders where place = $1`, placeOf(path.slice(1))))
  }

  child(parent: number, name: string): number | undefined {
    const sql = `select id from ${this.#at}_folders where parent = $1 and name = $2`
    return idIn(this.#client.one(sql, parent, toPageText([name])))
  }

  children(parent: number): KnownFolder[] {
    const rows = this.#client.all(`select id, name from ${this.#at}_folders where parent = $1`, parent)
    return rows.map(row => ({ id: Number(row.id), name: nameIn(row) }))
  }

  place(id: number): { parent: number; name: string } | undefined {
    const row = this.#client.one(`select parent, name from ${this.#at}_folders where id = $1`, id)
    return row && { parent: Number(row.parent), name: nameIn(row) }
  }

  countFolders(): number {
    return Number(this.#client.one(`select count(*) as count from ${this.#at}_folders`)?.count)
  }

  addFolder(parent: number, name: string): number {
    const at = this.#at
    const sql = `insert into ${at}_folders (parent, name, place)
      select id, $2, place || case when id = ${TOP} then '' else '\\x0000'::bytea end || $3 from ${at}_folders where id = $1
      returning id`
    const id = idIn(this.#client.one(sql, parent, toPageText([name]), placeOf(name)))
    if (id === undefined) throw new Error('the parent of a new folder is missing')
    return id
  }

  /** Removes it at once: in a database that is as fast as detaching it. */
  detach(id: number): void {
    const row = this.#folder(id)
    if (!row) return
    this.#add(id, differenceOf(NO_SUM, readSum(row, 'all')))
    const { from, to } = placesBelow(pathIn(row))
    const inside = `select id from ${this.#at}_folders where id = $1 or (place > $2 and place < $3)`
    this.#client.all(`delete from ${this.#at}_pages where folder in (${inside})`, id, from, to)
    this.#client.all(`delete from ${this.#at}_folders where id in (${inside})`, id, from, to)
  }

  clear(): undefined {}

  pages(folder: number): SharedPage[] {
    const sql = `select ${PAGE_COLUMNS} from ${this.#at}_pages where folder = $1`
    return inPageOrder(this.#client.all(sql, folder).map(pageIn))
  }

  /** Pages of this index contain their facts. */
  known(page: SharedPage): Pick<Page, 'facts' | 'disks'> {
    return page
  }

  items(folder: number): Map<string, Known> {
    return itemsIn(this, folder)
  }

  setItems(folder: number, items: readonly Item[], _stamp: string, isUnread = false): void {
    const row = this.#folder(folder)
    if (!row) return
    const kept = new Map(this.pages(folder).map(page => [page.text, page.id]))
    const added: Page[] = []
    for (const page of pagesOf(items)) {
      const id = kept.get(toPageText(page.names))
      kept.delete(toPageText(page.names))
      if (id === undefined) added.push(page)
      else this.#setFacts(id, page)
    }
    if (kept.size > 0) this.#removePages([...kept.values()])
    if (added.length > 0) this.#addPages(folder, pathIn(row), added)
    this.#add(folder, differenceOf(sumOf(items, isUnread), readSum(row, 'own')))
  }

  #setFacts(id: number, page: Page): void {
    const { facts, disks, folders } = pageValues(page)
    const sql = `update ${this.#at}_pages set facts = $2, disks = $3, folders = $4 where id = $1`
    this.#client.all(sql, id, facts, disks, folders)
  }

  #removePages(ids: readonly number[]): void {
    this.#client.all(`delete from ${this.#at}_pages where id = any($1::bigint[])`, ids)
  }

  #addPages(folder: number, path: string, pages: readonly Page[]): void {
    const values = pages.map(pageValues)
    const places = pages.map(({ names: [first = ''] }) => placeOf(path === '' ? first : `${path}/${first}`))
    const columns = (['names', 'folded', 'facts', 'disks', 'folders'] as const).map(name =>
      values.map(value => value[name]),
    )
    const sql = `insert into ${this.#at}_pages (folder, place, names, folded, facts, disks, folders)
      select $1::bigint, * from unnest($2::bytea[], $3::text[], $4::text[], $5::bytea[], $6::bytea[], $7::int[])`
    this.#client.all(sql, folder, places, ...columns)
  }

  /** Adds to the totals of a folder and of all its ancestors. */
  #add(folder: number, more: KnownSum): void {
    if (isNothing(more)) return
    const all = setSum('all', '+', index => `$${index + 2}`)
    const own = setSum('own', '+', index => `case when id = $1 then $${index + 2}::double precision else 0 end`)
    const sql = `with recursive up as (
        select id, parent from ${this.#at}_folders where id = $1
        union all select holder.id, holder.parent from ${this.#at}_folders as holder join up on holder.id = up.parent
      )
      update ${this.#at}_folders set ${all}, ${own} where id in (select id from up)`
    this.#client.all(sql, folder, ...valuesOf(more))
  }

  sums(folder: number): { own: KnownSum; all: KnownSum } {
    const row = this.#folder(folder) ?? {}
    return { own: readSum(row, 'own'), all: readSum(row, 'all') }
  }

  largest(parent: number, most: number): { name: string; sum: KnownSum }[] {
    const sql = `select * from ${this.#at}_folders where parent = $1 order by all_bytes desc limit $2`
    return this.#client.all(sql, parent, most).map(row => ({ name: nameIn(row), sum: readSum(row, 'all') }))
  }

  /** New trigrams are kept in a pending list that every search scans. */
  tidy(): boolean {
    this.#client.all('select gin_clean_pending_list($1::regclass)', `${this.#at}_grams`)
    return false
  }

  *seek(folder: number, words: readonly string[]): Generator<Hit | undefined> {
    const row = this.#folder(folder)
    if (row) yield* seekShared(this.#queries, pathIn(row), words)
  }

  #folder(id: number): Row | undefined {
    return this.#client.one(`select * from ${this.#at}_folders where id = $1`, id)
  }
}

const idIn = (row: Row | undefined) => row && Number(row.id)
const nameIn = (row: Row) => fromPageText(String(row.name))[0] ?? ''
/** The path of a folder, without a leading slash. */
const pathIn = ({ place }: Row) => (place instanceof Uint8Array ? pathAt(place) : '')
