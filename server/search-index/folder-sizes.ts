import { largestOf } from '../../shared/sizes.ts'
import type { KnownSizes, KnownSum, SizedName } from '../storage/driver.ts'
import type { Known } from '../storage/found-names.ts'
import { fromPageText, type Page } from './name-pages.ts'

/** The names of a page, and what is known of them. */
type KnownPage = Pick<Page, 'facts' | 'disks'> & { text: string }

interface Sizes {
  own: KnownSum
  all: KnownSum
  /** The largest subfolders. */
  folders: { name: string; sum: KnownSum }[]
  pages: Iterable<KnownPage>
}

/** See `IndexStore.sizes`. */
export async function* sizesIn(
  { own, all, folders, pages }: Sizes,
  most: number,
): AsyncGenerator<undefined, Omit<KnownSizes, 'isComplete'>> {
  let items: SizedName[] = folders.map(({ name, sum: { unread: _, ...sum } }) => ({ name, isFolder: true, ...sum }))
  for (const page of pages) {
    yield
    for (const [name, { fact: bytes, disk }] of itemsIn([page])) {
      if (bytes >= 0) items.push({ name, isFolder: false, bytes, disk, files: 1, folders: 0 })
    }
    items = largestOf(items, most)
  }
  return { total: all, count: own.files + own.folders, items }
}

/** What is known of each name. */
export function itemsIn(pages: Iterable<KnownPage>): Map<string, Known> {
  const items = new Map<string, Known>()
  for (const { text, facts, disks } of pages) {
    for (const [index, name] of fromPageText(text).entries()) {
      items.set(name, { fact: facts[index] ?? 0, disk: disks[index] ?? 0 })
    }
  }
  return items
}
