import { type FilePath, ROOT } from '../../../shared/path.ts'
import { NO_SUM } from '../../../shared/sizes.ts'
import type { KnownSum, SizesWanted } from '../../storage/driver.ts'
import type { Hit, Item, Known } from '../../storage/found-names.ts'
import { itemsIn, sizesIn } from '../folder-sizes.ts'
import { type IndexSharing, type IndexStore, type KnownFolder, TOP } from '../index-store.ts'
import { blobOf, fromPageText, inPageOrder, type Page, pagesOf, toPageText } from '../name-pages.ts'
import { differenceOf, isNothing, readSum, setSum, sumOf, valuesOf } from '../sums.ts'
import type { PgClient, Row } from './client.ts'
import { PageQueries } from './page-queries.ts'
import { PAGE_COLUMNS, pageIn, pageValues, type SharedPage } from './page-rows.ts'
import { pathAt, placeOf, placesBelow } from './places.ts'
import { seekShared } from './seek.ts'
import type { SharedTables } from './tables.ts'

/** Pages per statement: other work on this thread runs in between. */
const ADDED_TOGETHER = 256

/**
 * An index in PostgreSQL: folders by place, their names in pages, and trigrams of those. All servers of one root read
 * it, and write their own changes; one server at a time scans.
 */
export class PostgresStore implements IndexStore, IndexSharing {
  /** Other servers wait that long. */
  readonly commitEvery = 100
  readonly sharing = this
  readonly #client: PgClient
  readonly #tables: SharedTables
  readonly #queries: PageQueries
  /** Prefix of the table names. */
  readonly #at: string

  /** @param tables that were opened */
  constructor(client: PgClient, tables: SharedTables) {
    this.#client = client
    this.#tables = tables
    this.#at = tables.name
    this.#queries = new PageQueries(client, tables.name)
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  async isComplete(): Promise<boolean> {
    return (await this.#client.one(`select complete from ${this.#at}_about`))?.complete === true
  }

  async beginScan(within: number): Promise<boolean> {
    if (!(await this.#tables.take('scan'))) return false
    const sql = `select complete and checked > now() - $1 * interval '1 millisecond' as done from ${this.#at}_about`
    if ((await this.#client.one(sql, within))?.done !== true) return true
    await this.#tables.leave('scan')
    return false
  }

  async endScan(): Promise<void> {
    await this.#client.run(`update ${this.#at}_about set complete = true, checked = now()`)
    await this.#tables.leave('scan')
    await this.#client.run(`analyze ${this.#at}_pages`)
  }

  begin(): Promise<void> {
    return this.#tables.begin()
  }

  commit(): Promise<void> {
    return this.#client.run('commit')
  }

  async folderAt(path: FilePath): Promise<number | undefined> {
    if (path === ROOT) return TOP
    return idIn(await this.#client.one(`select id from ${this.#at}_folders where place = $1`, placeOf(path.slice(1))))
  }

  async child(parent: number, name: string): Promise<number | undefined> {
    const sql = `select id from ${this.#at}_folders where parent = $1 and name = $2`
    return idIn(await this.#client.one(sql, parent, toPageText([name])))
  }

  async children(parent: number): Promise<KnownFolder[]> {
    const rows = await this.#client.all(`select id, name from ${this.#at}_folders where parent = $1`, parent)
    return rows.map(row => ({ id: Number(row.id), name: nameIn(row) }))
  }

  async has(id: number): Promise<boolean> {
    return (await this.#folder(id)) !== undefined
  }

  async countFolders(): Promise<number> {
    return Number((await this.#client.one(`select count(*) as count from ${this.#at}_folders`))?.count)
  }

  async addFolder(parent: number, name: string): Promise<number> {
    const at = this.#at
    const sql = `insert into ${at}_folders (parent, name, place)
      select id, $2, place || case when id = ${TOP} then '' else '\\x0000'::bytea end || $3 from ${at}_folders where id = $1
      returning id`
    const id = idIn(await this.#client.one(sql, parent, toPageText([name]), placeOf(name)))
    if (id === undefined) throw new Error('the parent of a new folder is missing')
    return id
  }

  /** Removes it at once: in a database that is as fast as detaching it. */
  async detach(id: number): Promise<void> {
    const row = await this.#folder(id)
    if (!row) return
    await this.#add(id, differenceOf(NO_SUM, readSum(row, 'all')))
    const { from, to } = placesBelow(pathIn(row))
    const inside = `select id from ${this.#at}_folders where id = $1 or (place > $2 and place < $3)`
    await this.#client.all(`delete from ${this.#at}_pages where folder in (${inside})`, id, from, to)
    await this.#client.all(`delete from ${this.#at}_folders where id in (${inside})`, id, from, to)
  }

  async #pages(folder: number): Promise<SharedPage[]> {
    const sql = `select ${PAGE_COLUMNS} from ${this.#at}_pages where folder = $1`
    return inPageOrder((await this.#client.all(sql, folder)).map(pageIn))
  }

  async items(folder: number): Promise<Map<string, Known>> {
    return itemsIn(await this.#pages(folder))
  }

  async setItems(folder: number, items: readonly Item[], _stamp?: string, isUnread = false): Promise<void> {
    const row = await this.#folder(folder)
    if (!row) return
    const kept = new Map((await this.#pages(folder)).map(page => [page.text, page]))
    const added: Page[] = []
    for (const page of pagesOf(items)) {
      const text = toPageText(page.names)
      const before = kept.get(text)
      kept.delete(text)
      if (!before) added.push(page)
      else if (!haveSameFacts(before, page)) await this.#setFacts(before.id, page)
    }
    if (kept.size > 0) await this.#removePages([...kept.values()].map(({ id }) => id))
    for (let at = 0; at < added.length; at += ADDED_TOGETHER) {
      await this.#addPages(folder, pathIn(row), added.slice(at, at + ADDED_TOGETHER))
    }
    await this.#add(folder, differenceOf(sumOf(items, isUnread), readSum(row, 'own')))
  }

  async #setFacts(id: number, page: Page): Promise<void> {
    const { facts, disks, folders } = pageValues(page)
    const sql = `update ${this.#at}_pages set facts = $2, disks = $3, folders = $4 where id = $1`
    await this.#client.all(sql, id, facts, disks, folders)
  }

  async #removePages(ids: readonly number[]): Promise<void> {
    await this.#client.all(`delete from ${this.#at}_pages where id = any($1::bigint[])`, ids)
  }

  async #addPages(folder: number, path: string, pages: readonly Page[]): Promise<void> {
    const values = pages.map(pageValues)
    const places = pages.map(({ names: [first = ''] }) => placeOf(path === '' ? first : `${path}/${first}`))
    const columns = (['names', 'folded', 'facts', 'disks', 'folders'] as const).map(name =>
      values.map(value => value[name]),
    )
    const sql = `insert into ${this.#at}_pages (folder, place, names, folded, facts, disks, folders)
      select $1::bigint, * from unnest($2::bytea[], $3::text[], $4::text[], $5::bytea[], $6::bytea[], $7::int[])`
    await this.#client.all(sql, folder, places, ...columns)
  }

  /** Adds to the totals of a folder and of all its ancestors. */
  async #add(folder: number, more: KnownSum): Promise<void> {
    if (isNothing(more)) return
    const all = setSum('all', '+', index => `$${index + 2}`)
    const own = setSum('own', '+', index => `case when id = $1 then $${index + 2}::double precision else 0 end`)
    const sql = `with recursive up as (
        select id, parent from ${this.#at}_folders where id = $1
        union all select holder.id, holder.parent from ${this.#at}_folders as holder join up on holder.id = up.parent
      )
      update ${this.#at}_folders set ${all}, ${own} where id in (select id from up)`
    await this.#client.all(sql, folder, ...valuesOf(more))
  }

  async *sizes(folder: number, wanted: SizesWanted): ReturnType<IndexStore['sizes']> {
    return yield* sizesIn(await this.#sizes(folder, wanted), wanted.most)
  }

  async #sizes(folder: number, { most, onlyFolders = false }: SizesWanted) {
    const row = (await this.#folder(folder)) ?? {}
    const sql = `select * from ${this.#at}_folders where parent = $1 order by all_bytes desc limit $2`
    const folders = await this.#client.all(sql, folder, most)
    return {
      own: readSum(row, 'own'),
      all: readSum(row, 'all'),
      folders: folders.map(each => ({ name: nameIn(each), sum: readSum(each, 'all') })),
      pages: most > 0 && !onlyFolders ? await this.#pages(folder) : [],
    }
  }

  /** New trigrams are kept in a pending list that every search scans. */
  async tidy(): Promise<boolean> {
    await this.#client.all('select gin_clean_pending_list($1::regclass)', `${this.#at}_grams`)
    return false
  }

  async *seek(folder: number, words: readonly string[]): AsyncGenerator<Hit[]> {
    const row = await this.#folder(folder)
    if (row) yield* seekShared(this.#queries, pathIn(row), words)
  }

  #folder(id: number): Promise<Row | undefined> {
    return this.#client.one(`select * from ${this.#at}_folders where id = $1`, id)
  }
}

type Facts = Pick<Page, 'facts' | 'disks'>

const haveSameFacts = (one: Facts, other: Facts) =>
  Buffer.compare(blobOf(one.facts), blobOf(other.facts)) === 0 &&
  Buffer.compare(blobOf(one.disks), blobOf(other.disks)) === 0

const idIn = (row: Row | undefined) => row && Number(row.id)
const nameIn = (row: Row) => fromPageText(String(row.name))[0] ?? ''
/** The path of a folder, without a leading slash. */
const pathIn = ({ place }: Row) => (place instanceof Uint8Array ? pathAt(place) : '')
