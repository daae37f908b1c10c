import { fromPageText, GRAM, toPageText } from '../name-pages.ts'
import type { Row, Statements } from './statements.ts'

/**
 * Texts are found by trigrams, as names are: words, parts of words and scripts without spaces alike. The index stores
 * which chunk of which text contains a trigram, not its position and not the text: matches are verified in the file
 * itself.
 */
export const TEXTS_SCHEMA = `
  create table texts (
    id integer primary key, folder integer not null, name text not null, stamp text not null, bytes integer not null,
    pieces integer not null
  ) strict;
  create unique index texts_by_place on texts (folder, name);
  create virtual table text_grams using fts5 (
    text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
  );
  create virtual table text_terms using fts5vocab (text_grams, 'row');
`

/** Characters per chunk: each is indexed in one step, during which no query is served. */
const PIECE = 32 * 1024
/** Maximum number of chunks of a text; a chunk's number combines the text's and its own. */
const MOST_PIECES = 64
/** Grams of a search text that must all be in one chunk. */
const MOST_GRAMS = 64
/** Overlap of two chunks, so that such a search text is whole in one of them; a character may be two code units. */
const OVERLAP = 2 * (MOST_GRAMS + GRAM)

/** A file as it was when it was indexed; without chunks it was not text. */
export interface KeptText {
  id: number
  /** `''` if the file may have changed again since. */
  stamp: string
}

/** Where a text was found. */
export interface TextRow extends KeptText {
  folder: number
  name: string
  bytes: number
}

/** The trigrams of texts by file, in the SQLite file of a name index. */
export class TextsTable {
  readonly #sql: Statements
  #bytes: number | undefined

  constructor(sql: Statements) {
    this.#sql = sql
  }

  /** Whether text indexing was started, in this run or an earlier one. */
  get isWanted(): boolean {
    return this.#sql.one('select 1 from about where name = ?', 'texts') !== undefined
  }

  want(): void {
    this.#sql.run('insert or ignore into about values (?, ?)', 'texts', '1')
  }

  /** The indexed files of a folder, by name. */
  in(folder: number): Map<string, KeptText> {
    const rows = this.#sql.all('select id, name, stamp from texts where folder = ?', folder)
    return new Map(rows.map(row => [nameIn(row), { id: Number(row.id), stamp: String(row.stamp) }]))
  }

  /** Total size of the indexed texts in bytes. */
  get bytes(): number {
    this.#bytes ??= Number(this.#sql.one('select sum(bytes) as bytes from texts')?.bytes ?? 0)
    return this.#bytes
  }

  /** Number of indexed texts. */
  count(): number {
    return Number(this.#sql.one('select count(*) as count from texts where pieces > 0')?.count)
  }

  /**
   * Indexes a file chunk by chunk; it is incomplete until the generator ends. @param text in the form that is searched
   */
  *add(folder: number, name: string, file: { stamp: string; bytes: number; text: string }): Generator<undefined> {
    const insert = 'insert into texts (folder, name, stamp, bytes, pieces) values (?, ?, ?, ?, ?)'
    const pieces = piecesOf(file.text)
    this.#bytes = this.bytes + file.bytes
    const id = this.#sql.run(insert, folder, toPageText([name]), '', file.bytes, pieces.length)
    for (const [index, piece] of pieces.entries()) {
      this.#sql.run('insert into text_grams (rowid, text) values (?, ?)', id * MOST_PIECES + index, piece)
      yield
    }
    this.#sql.run('update texts set stamp = ? where id = ?', file.stamp, id)
  }

  remove(id: number): void {
    const row = this.#sql.one('select pieces, bytes from texts where id = ?', id)
    this.#bytes = this.bytes - Number(row?.bytes ?? 0)
    for (let index = 0; index < Number(row?.pieces ?? 0); index++) {
      this.#sql.run('delete from text_grams where rowid = ?', id * MOST_PIECES + index)
    }
    this.#sql.run('delete from texts where id = ?', id)
  }

  /**
   * Indexed texts after a number that match an FTS5 expression, each once; all texts without one.
   * @returns their numbers, and where the next ones start, if there may be more
   */
  idsWith(expression: string | undefined, after: number, most: number): { ids: number[]; next: number | undefined } {
    if (expression === undefined) {
      const rows = this.#sql.all('select id from texts where id > ? and pieces > 0 order by id limit ?', after, most)
      const ids = rows.map(row => Number(row.id))
      return { ids, next: ids.length < most ? undefined : ids.at(-1) }
    }
    const sql = 'select rowid as id from text_grams where text_grams match ? and rowid > ? order by rowid limit ?'
    const rows = this.#sql.all(sql, expression, (after + 1) * MOST_PIECES - 1, most)
    const ids = [...new Set(rows.map(row => Math.floor(Number(row.id) / MOST_PIECES)))]
    return { ids, next: rows.length < most ? undefined : ids.at(-1) }
  }

  row(id: number): TextRow | undefined {
    const row = this.#sql.one('select id, folder, name, stamp, bytes from texts where id = ?', id)
    if (!row) return undefined
    const { stamp, bytes, folder } = row
    return { id, stamp: String(stamp), folder: Number(folder), name: nameIn(row), bytes: Number(bytes) }
  }

  /** Existing grams with a prefix. */
  gramsFrom(start: string, most: number): string[] {
    return this.#sql.termsFrom('text_terms', start, most)
  }
}

const nameIn = (row: Row) => fromPageText(String(row.name))[0] ?? ''

/** The end marker lets the last one or two characters begin a gram, too. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length && pieces.length < MOST_PIECES; at += PIECE) {
    pieces.push(text.slice(at, at + PIECE + OVERLAP).toWellFormed() + '\n'.repeat(GRAM - 1))
  }
  return pieces
}

/** The grams of a search text; none if it is shorter than one. */
export function gramsOf(text: string): string[] {
  const signs = Array.from(text).slice(0, MOST_GRAMS + GRAM - 1)
  const grams = signs.slice(GRAM - 1).map((_, index) => signs.slice(index, index + GRAM).join(''))
  return [...new Set(grams)]
}
