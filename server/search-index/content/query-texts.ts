import { foldText, type Hit } from '../../storage/found-names.ts'
import { GRAM, inOrder } from '../name-pages.ts'
import { below } from '../sqlite/seek.ts'
import type { SqliteStore } from '../sqlite/store.ts'
import { gramsOf } from '../sqlite/texts-table.ts'

/** Chunks of texts queried together. */
const SLICE = 256
/** Maximum number of grams that a text shorter than a gram may begin; beyond that every file is a candidate. */
const MOST_GRAMS = 128

/**
 * Files below a folder that may contain all texts; the caller verifies against the files. Yields some hits,
 * or none, where other work can run.
 * @param texts in any case
 */
export function* seekTexts(store: SqliteStore, folder: number, texts: readonly string[]): Generator<Hit[]> {
  const expressions = texts.map(text => expressionOf(store, foldText(text)))
  if (expressions.includes('')) return
  const [first, ...others] = expressions.filter(expression => expression !== undefined)
  const alsoIn: ReadonlySet<number>[] = []
  for (const expression of others) alsoIn.push(yield* allWith(store, expression))
  const places = new Map<number, string | undefined>([[folder, '']])
  for (let next: number | undefined = 0; next !== undefined; ) {
    const slice = store.texts.idsWith(first, next, SLICE)
    const ids = slice.ids.filter(id => alsoIn.every(other => other.has(id)))
    yield inOrder(ids.flatMap(id => foundAt(store, id, places)))
    next = slice.next
  }
}

function* allWith(store: SqliteStore, expression: string): Generator<[], ReadonlySet<number>> {
  const all = new Set<number>()
  for (let next: number | undefined = 0; next !== undefined; ) {
    const slice = store.texts.idsWith(expression, next, SLICE)
    for (const id of slice.ids) all.add(id)
    next = slice.next
    yield []
  }
  return all
}

/** The FTS5 expression; `''` if nothing can match, `undefined` if any text may match. */
function expressionOf(store: SqliteStore, text: string): string | undefined {
  if (!text.isWellFormed() || text.includes('\0')) return ''
  const quoted = (gram: string) => `"${gram.replaceAll('"', '""')}"`
  if (Array.from(text).length >= GRAM) return gramsOf(text).map(quoted).join(' AND ')
  const begun = store.texts.gramsFrom(text, MOST_GRAMS + 1)
  return begun.length > MOST_GRAMS ? undefined : begun.map(quoted).join(' OR ')
}

function foundAt(store: SqliteStore, id: number, places: Map<number, string | undefined>): Hit[] {
  const row = store.texts.row(id)
  const start = row && below(store, row.folder, places)
  return row && start !== undefined ? [{ path: start + row.name, fact: row.bytes, disk: 0 }] : []
}
