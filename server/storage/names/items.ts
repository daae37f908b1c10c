import { fromPageText, type Known } from './name-pages.ts'
import type { NamesStore } from './store.ts'

/** See `NamesStore.items`. */
export function itemsIn(names: Pick<NamesStore, 'pages' | 'known'>, folder: number): Map<string, Known> {
  const items = new Map<string, Known>()
  for (const page of names.pages(folder)) {
    const { facts, disks } = names.known(page)
    for (const [index, name] of fromPageText(page.text).entries()) {
      items.set(name, { fact: facts[index] ?? 0, disk: disks[index] ?? 0 })
    }
  }
  return items
}
