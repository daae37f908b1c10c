import { largestOf } from '../../../shared/sizes.ts'
import type { KnownSizes, SizedName } from '../driver.ts'
import { fromPageText } from './name-pages.ts'
import type { NamesStore } from './store.ts'

/**
 * The sizes of a folder's entries, the largest first. Yields from time to time, so that other work can run.
 * @param most maximum number of named entries
 */
export function* sizesIn(
  names: NamesStore,
  folder: number,
  most: number,
): Generator<undefined, Omit<KnownSizes, 'isComplete'>> {
  const { own, all: total } = names.sums(folder)
  let items: SizedName[] = names
    .largest(folder, most)
    .map(({ name, sum: { bytes, disk, files, folders } }) => ({ name, isFolder: true, bytes, disk, files, folders }))
  for (const page of most > 0 ? names.pages(folder) : []) {
    yield
    const { facts, disks } = names.known(page)
    for (const [index, name] of fromPageText(page.text).entries()) {
      const bytes = facts[index] ?? 0
      if (bytes >= 0) items.push({ name, isFolder: false, bytes, disk: disks[index] ?? 0, files: 1, folders: 0 })
    }
    items = largestOf(items, most)
  }
  return { total, count: own.files + own.folders, items }
}
