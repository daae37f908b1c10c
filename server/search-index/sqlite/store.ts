import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type FilePath, segmentsOf } from '../../../shared/path.ts'
import { NO_SUM } from '../../../shared/sizes.ts'
import type { KnownSum, SizesWanted } from '../../storage/driver.ts'
import type { Hit, Item, Known } from '../../storage/found-names.ts'
import { itemsIn, sizesIn } from '../folder-sizes.ts'
import { type IndexBackend, type IndexStore, type KnownFolder, TOP } from '../index-store.ts'
import {
  blobOf,
  foldersIn,
  fromPageText,
  gramText,
  inPageOrder,
  numbersIn,
  type Page,
  pagesOf,
  toPageText,
} from '../name-pages.ts'
import { differenceOf, isNothing, readSum, setSum, sumColumns, sumOf, valuesOf } from '../sums.ts'
import { type KeptPage, seek } from './seek.ts'
import { type Row, Statements } from './statements.ts'
import { TEXTS_SCHEMA, TextsTable } from './texts-table.ts'

/** Changing the number discards the files of an older release. */
const FORMAT = '3'
/** Pages that a search reads in one transaction, and hits after which it reads no more. */
const READ_TOGETHER = { pages: 16, hits: 64 }
/** Parent of folders that are detached and will be removed. */
const NOWHERE = 0

const SCHEMA = `
  create table about (name text primary key, value text not null) strict;
  create table folders (
    id integer primary key, parent integer not null, name text not null, stamp text not null default '',
    ${sumColumns('real')}
  ) strict;
  create index folders_by_place on folders (parent, name);
  create table pages (
    id integer primary key, folder integer not null, names text not null, facts blob not null, disks blob not null,
    folders integer not null
  ) strict;
  create index pages_by_folder on pages (folder);
  create virtual table grams using fts5 (
    text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
  );
  create virtual table terms using fts5vocab (grams, 'row');
  ${TEXTS_SCHEMA}
`

/**
 * An index in an SQLite file: folders by place, their names in pages, trigrams of names by page, and trigrams of texts
 * by file. For a thread that may block.
 */
export class SqliteStore implements IndexStore {
  readonly commitEvery = 2000
  readonly #db: DatabaseSync
  readonly #sql: Statements
  readonly texts: TextsTable

  /** Throws SQLite errors for a file that is not a database. */
  static open(file: string, root: string): SqliteStore {
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
    const store = new SqliteStore(new DatabaseSync(file, { timeout: 5000 }))
    try {
      store.#prepare(root)
      return store
    } catch (thrown) {
      store.close()
      throw thrown
    }
  }

  static remove(file: string): void {
    for (const path of filesOf(file)) rmSync(path, { force: true })
  }

  private constructor(db: DatabaseSync) {
    this.#db = db
    this.#sql = new Statements(db)
    this.texts = new TextsTable(this.#sql)
  }

  close(): void {
    this.#db.close()
  }

  #prepare(root: string): void {
    // Losing the last second in a power cut is acceptable, a corrupt file is not.
    for (const pragma of ['journal_mode = wal', 'synchronous = normal', 'trusted_schema = off', 'cache_size = -2048'])
      this.#db.exec(`pragma ${pragma}`)
    const made = this.#sql.one("select 1 from sqlite_schema where name = 'about'")
    const about = `${FORMAT} ${root.toWellFormed()}`
    if (made && this.#sql.one('select value from about where name = ?', 'of')?.value === about) return
    if (made) throw new Error('it belongs to another folder, or to another release')
    this.#db.exec(SCHEMA)
    this.#sql.run('insert into about values (?, ?)', 'of', about)
    this.#sql.run('insert into folders (id, parent, name) values (?, ?, ?)', TOP, -1, '')
  }

  begin(): void {
    this.#db.exec('begin')
  }

  commit(): void {
    this.#db.exec('commit')
  }

  /** Batches reads, which makes them cheaper. */
  reading<T>(read: () => T): T {
    if (this.#db.isTransaction) return read()
    this.begin()
    try {
      return read()
    } finally {
      // Some errors have ended the transaction already; they are the ones to throw.
      if (this.#db.isTransaction) this.commit()
    }
  }

  folderAt(path: FilePath): number | undefined {
    let id: number | undefined = TOP
    for (const name of segmentsOf(path)) {
      if (id === undefined) return undefined
      id = this.child(id, name)
    }
    return id
  }

  child(parent: number, name: string): number | undefined {
    const row = this.#sql.one('select id from folders where parent = ? and name = ?', parent, toPageText([name]))
    return row && Number(row.id)
  }

  children(parent: number): KnownFolder[] {
    const rows = this.#sql.all('select id, name from folders where parent = ?', parent)
    return rows.map(row => ({ id: Number(row.id), name: nameIn(row) }))
  }

  has(id: number): boolean {
    return id === TOP || this.place(id) !== undefined
  }

  place(id: number): { parent: number; name: string } | undefined {
    const row = this.#sql.one('select parent, name from folders where id = ?', id)
    return row && Number(row.parent) !== NOWHERE ? { parent: Number(row.parent), name: nameIn(row) } : undefined
  }

  /** The path of a folder below the indexed one; `undefined` for one that was removed. */
  pathOf(folder: number): FilePath | undefined {
    const path: string[] = []
    for (let id = folder; id !== TOP; ) {
      const place = this.place(id)
      if (!place) return undefined
      path.unshift(place.name)
      id = place.parent
    }
    return `/${path.join('/')}` as FilePath
  }

  /** The folder with the next greater number. */
  folderAfter(id: number): number | undefined {
    const row = this.#sql.one('select id from folders where id > ? order by id limit 1', id)
    return row && Number(row.id)
  }

  /** The folder's stamp when its names were read; `''` if that is not certain. */
  stamp(id: number): string {
    return String(this.#sql.one('select stamp from folders where id = ?', id)?.stamp ?? '')
  }

  countFolders(): number {
    return Number(this.#sql.one('select count(*) as count from folders')?.count)
  }

  countPages(): number {
    return Number(this.#sql.one('select count(*) as count from pages')?.count)
  }

  addFolder(parent: number, name: string): number {
    return this.#sql.run('insert into folders (parent, name) values (?, ?)', parent, toPageText([name]))
  }

  detach(id: number): void {
    this.#add(id, differenceOf(NO_SUM, this.sums(id).all))
    this.#sql.run('update folders set parent = ? where id = ?', NOWHERE, id)
  }

  /** Removes one detached folder, and detaches its subfolders. @returns its id; `undefined` if none is left */
  clear(): number | undefined {
    const row = this.#sql.one('select id from folders where parent = ? limit 1', NOWHERE)
    if (!row) return undefined
    const id = Number(row.id)
    this.#sql.run('update folders set parent = ? where parent = ?', NOWHERE, id)
    for (const page of this.pages(id)) this.#removePage(page.id)
    for (const text of this.texts.in(id).values()) this.texts.remove(text.id)
    this.#sql.run('delete from folders where id = ?', id)
    return id
  }

  pages(folder: number): KeptPage[] {
    const rows = this.#sql.all('select id, names, folders from pages where folder = ?', folder)
    return inPageOrder(rows.map(row => keptPage(row, folder)))
  }

  known({ id: page }: Pick<KeptPage, 'id'>): Pick<Page, 'facts' | 'disks'> {
    const row = this.#sql.one('select facts, disks from pages where id = ?', page)
    return { facts: numbersIn(row?.facts), disks: numbersIn(row?.disks) }
  }

  items(folder: number): Map<string, Known> {
    return itemsIn(this.#knownPages(folder))
  }

  *#knownPages(folder: number) {
    for (const page of this.pages(folder)) yield { ...page, ...this.known(page) }
  }

  /** Unchanged pages cost little. */
  setItems(folder: number, items: readonly Item[], stamp = '', isUnread = false): void {
    const kept = new Map(this.pages(folder).map(page => [page.text, page.id]))
    for (const page of pagesOf(items)) {
      const text = toPageText(page.names)
      const id = kept.get(text)
      kept.delete(text)
      if (id === undefined) this.#addPage(folder, page, text)
      else {
        const sql = 'update pages set facts = ?, disks = ?, folders = ? where id = ?'
        this.#sql.run(sql, blobOf(page.facts), blobOf(page.disks), foldersIn(page), id)
      }
    }
    for (const id of kept.values()) this.#removePage(id)
    const own = sumOf(items, isUnread)
    this.#add(folder, differenceOf(own, this.sums(folder).own))
    this.#sql.run(`update folders set stamp = ?, ${setSum('own')} where id = ?`, stamp, ...valuesOf(own), folder)
  }

  /** Adds to the totals of a folder and of all its ancestors. */
  #add(folder: number, more: KnownSum): void {
    if (isNothing(more)) return
    const values = valuesOf(more)
    const sql = `update folders set ${setSum('all', '+')} where id = ? returning parent`
    for (let id = folder; id > NOWHERE; ) id = Number(this.#sql.one(sql, ...values, id)?.parent ?? NOWHERE)
  }

  /** The totals of a folder itself, and including everything below it. */
  sums(folder: number): { own: KnownSum; all: KnownSum } {
    const row = this.#sql.one('select * from folders where id = ?', folder) ?? {}
    return { own: readSum(row, 'own'), all: readSum(row, 'all') }
  }

  unread(): number[] {
    return this.#sql.all('select id from folders where own_unread > 0').map(row => Number(row.id))
  }

  sizes(folder: number, { most, onlyFolders = false }: SizesWanted): ReturnType<IndexStore['sizes']> {
    const sql = 'select * from folders where parent = ? order by all_bytes desc limit ?'
    const folders = this.#sql.all(sql, folder, most).map(row => ({ name: nameIn(row), sum: readSum(row, 'all') }))
    return sizesIn(
      { ...this.sums(folder), folders, pages: most > 0 && !onlyFolders ? this.#knownPages(folder) : [] },
      most,
    )
  }

  #addPage(folder: number, page: Page, text: string): void {
    const sql = 'insert into pages (folder, names, facts, disks, folders) values (?, ?, ?, ?, ?)'
    const id = this.#sql.run(sql, folder, text, blobOf(page.facts), blobOf(page.disks), foldersIn(page))
    this.#sql.run('insert into grams (rowid, text) values (?, ?)', id, gramText(page.names))
  }

  #removePage(id: number): void {
    this.#sql.run('delete from grams where rowid = ?', id)
    this.#sql.run('delete from pages where id = ?', id)
  }

  *seek(folder: number, words: readonly string[]): Generator<Hit[]> {
    const found = seek(this, folder, words)
    for (let isDone = false; !isDone; ) {
      const hits: Hit[] = []
      isDone = this.reading(() => {
        for (let pages = 0; pages < READ_TOGETHER.pages && hits.length < READ_TOGETHER.hits; pages++) {
          const { done, value } = found.next()
          if (done) return true
          hits.push(...value)
        }
        return false
      })
      yield hits
    }
  }

  pagesWith(expression: string, most: number): KeptPage[] {
    const sql = `select id, folder, names, pages.folders from grams join pages on pages.id = grams.rowid
      where grams match ? limit ?`
    return this.#sql.all(sql, expression, most).map(row => keptPage(row, Number(row.folder)))
  }

  gramsFrom(start: string, most: number): string[] {
    return this.#sql.termsFrom('terms', start, most)
  }

  tidy(): boolean {
    return this.clear() !== undefined || this.#mergeGrams()
  }

  #mergeGrams(): boolean {
    const before = this.#sql.changes()
    this.#sql.run('insert into grams (grams, rank) values (?, ?)', 'merge', TIDY_PAGES)
    return this.#sql.changes() - before > 1
  }
}

/** Database pages that one step of `tidy` writes. */
const TIDY_PAGES = 200

/** SQLite's codes for a file that is corrupt or not a database. */
const BROKEN = new Set([11, 26])

/** An index in a file, which is rebuilt when it turns out to be corrupt. @param place identifies the indexed root */
export function sqliteBackend(file: string, place: string, hasTexts: boolean): IndexBackend<SqliteStore> {
  return {
    open() {
      const store = SqliteStore.open(file, place)
      if (hasTexts || !store.texts.isWanted) return store
      store.close()
      throw new Error('it contains texts, whose indexing is off now')
    },
    isBroken: thrown => thrown instanceof Error && 'errcode' in thrown && BROKEN.has(Number(thrown.errcode) & 0xff),
    discard: () => SqliteStore.remove(file),
    lost: 'thrown away',
    attempts: 3,
    pause: 0,
  }
}

/** The files that SQLite keeps for one database. */
export function filesOf(file: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map(end => `${file}${end}`)
}

const nameIn = (row: Row) => fromPageText(String(row.name))[0] ?? ''
const keptPage = (row: Row, folder: number): KeptPage => {
  return { id: Number(row.id), folder, text: String(row.names), folders: Number(row.folders) }
}
