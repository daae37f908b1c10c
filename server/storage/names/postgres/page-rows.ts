import { blobOf, foldersIn, foldText, numbersIn, type Page, toPageText } from '../name-pages.ts'
import type { KeptPage } from '../store.ts'
import type { Row, Value } from './sync-pg-protocol.ts'

/** A page with all that is known of it, since asking costs more than reading. */
export interface SharedPage extends KeptPage, Pick<Page, 'facts' | 'disks'> {
  place: Uint8Array
}

/** The columns of a page that `pageIn` reads. */
export const PAGE_COLUMNS = 'id, folder, place, names, folded, facts, disks, folders'

export function pageIn(row: Row): SharedPage {
  const facts = numbersIn(row.facts)
  return {
    id: Number(row.id),
    folder: Number(row.folder),
    place: row.place instanceof Uint8Array ? row.place : new Uint8Array(),
    text: String(row.names ?? row.folded),
    facts,
    disks: row.disks === null ? facts.map(onDisk) : numbersIn(row.disks),
    folders: Number(row.folders),
  }
}

/** What is bound for the names in a page, and for what is known of them. */
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

/** What a file takes on most stores: its bytes. */
const onDisk = (fact: number) => Math.max(0, fact)
