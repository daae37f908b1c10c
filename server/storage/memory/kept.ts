import { type FilePath, isWithin, ROOT, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Entry, KeptAt, KeptNote, KeptThings, PathGuard, StorageDriver } from '../driver.ts'
import { keptName } from '../kept-name.ts'
import { type MemoryNode, memoryFolder, place as put, walk } from './tree.ts'

/** The things kept by all stores of one tree. */
export interface MemoryArea {
  folder: ReturnType<typeof memoryFolder>
  notes: Map<string, KeptNote & { place: FilePath }>
}

export const memoryArea = (): MemoryArea => ({ folder: memoryFolder(), notes: new Map() })

/** What the store does for its kept things. */
export interface MemoryTree {
  /** @throws not_found, forbidden */
  take(path: FilePath): { node: MemoryNode; entry: Entry; place: FilePath; detach(): void }
  /** @throws exists, not_found, forbidden */
  give(node: MemoryNode, to: FilePath, as: FilePath): void
  describe(path: FilePath, node: MemoryNode): Entry
  open(folder: MemoryArea['folder'], guard: PathGuard): StorageDriver
}

const AREA = { home: ROOT, area: 'memory' }

/** Keeps a node that is about to be replaced. @returns where, and how to take it back */
export function keepVersion({ folder }: MemoryArea, id: string, node: MemoryNode): [KeptAt, () => void] {
  put(folder, id, node)
  return [{ ...AREA, name: id, kind: 'version' }, () => put(folder, id, undefined)]
}

/** Deleted and replaced things in memory. */
export function memoryKept({ folder, notes }: MemoryArea, tree: MemoryTree): KeptThings {
  const describe = (name: string) => {
    const node = folder.children.get(name)
    return node && tree.describe(trustedChild(ROOT, name), node)
  }
  return {
    async plan(path, id) {
      const { entry, place } = tree.take(path)
      return { at: { ...AREA, name: keptName(entry.name, id) }, was: entry, place }
    },
    async setAside(path, { at, was }, note) {
      const { node, entry, place, detach } = tree.take(path)
      if (entry.identity !== was.identity) throw new AppError('not_found')
      detach()
      put(folder, at.name, node)
      notes.set(at.name, { ...note, place })
    },
    look: async ({ name }) => describe(name),
    async bringBack({ name }, to, { inner = ROOT, as }) {
      const top = { steps: [{ name: '', node: folder }], names: [name, ...inner.split('/').filter(Boolean)] }
      const last = top.names.pop() ?? ''
      const holder = walk(top.steps, top.names)
      const parent = holder.rest.length === 0 ? holder.steps.at(-1)?.node : undefined
      const node = parent?.kind === 'folder' ? parent.children.get(last) : undefined
      if (parent?.kind !== 'folder' || !node) throw new AppError('not_found')
      tree.give(node, to, as)
      put(parent, last, undefined)
      if (inner === ROOT) notes.delete(name)
    },
    async open({ name }: KeptAt, guard) {
      if (!folder.children.has(name)) throw new AppError('not_found')
      const top = trustedChild(ROOT, name)
      const inner = (path: FilePath) => (path === top ? ROOT : (path.slice(top.length) as FilePath))
      return tree.open(folder, path => path !== ROOT && isWithin(path, top) && guard(inner(path)))
    },
    async moveTo(at) {
      if (!folder.children.has(at.name)) throw new AppError('not_found')
      return at
    },
    async drop({ name }) {
      put(folder, name, undefined)
      notes.delete(name)
    },
    async clear() {},
    async *find() {
      for (const name of folder.children.keys()) {
        const was = describe(name)
        const note = notes.get(name)
        const kind = note ? {} : { kind: 'version' as const }
        if (was) yield { at: { ...AREA, name, ...kind }, was, note }
      }
    },
    area: async home => (home === ROOT ? { ...AREA, total: 2 ** 40, free: 2 ** 39 } : undefined),
    likelyHomes: () => [ROOT],
    hiddenPaths: async () => [],
  }
}
