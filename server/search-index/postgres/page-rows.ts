import { foldText } from '../../storage/found-names.ts'
import { blobOf, foldersIn, numbersIn, type Page, toPageText } from '../name-pages.ts'
import type { Row, Value } from './client.ts'

/** A page with all its columns, since a query costs more than reading them. */
export interface SharedPage extends Pick<Page, 'facts' | 'disks'> {
  id: number
  place: Uint8Array
  /** From `toPageText`. */
  text: string
}

/** The columns of a page that `pageIn` reads. */
export const PAGE_COLUMNS = 'id, place, names, folded, facts, disks'

export function pageIn(row: Row): SharedPage {
  const facts = numbersIn(row.facts)
  return {
    id: Number(row.id),
    place: row.place instanceof Uint8Array ? row.place : new Uint8Array(),
    text: String(row.names ?? row.folded),
    facts,
    disks: row.disks === null ? facts.map(onDisk) : numbersIn(row.disks),
  }
}

/** The parameters for a page's names and facts. */
export function pageValues(page: Page): Record<'names' | 'folded' | 'facts' | 'disks' | 'folders', Value> {
  const text = toPageText(page.names)
  const folded = foldText(page.names.join('/')).toWellFormed()
  const isPlain = page.disks.every((disk, index) => disk === onDisk(page.facts[index] ?? 0))
  return {
    names: text === folded ? null : text,
    folded,
    facts: blobOf(page.facts),
    disks: isPlain ? null : blobOf(page.disks),
    folders: foldersIn(page),
  }
}

/** The allocated size of a file on most stores: its size. */
const onDisk = (fact: number) => Math.max(0, fact)
