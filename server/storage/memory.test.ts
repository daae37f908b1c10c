import { parsePath, segmentsOf } from '../../shared/path.ts'
import { conformance, type TestPlace } from './conformance.ts'
import { type MemoryFolder, type MemoryNode, memoryFile, memoryFolder, memoryLink, place } from './memory/tree.ts'
import { openMemory } from './memory.ts'

conformance('memory', async (): Promise<TestPlace> => {
  const tree = memoryFolder({ inside: memoryFolder(), outside: memoryFolder() })
  return {
    store: openMemory(tree, parsePath('/inside')),
    plantFile: async (path, content) => plant(tree, path, memoryFile(content)),
    plantLink: async (path, target) => plant(tree, path, memoryLink(target)),
    names: async path => [...folderAt(tree, segmentsOf(parsePath(path))).children.keys()].sort(),
    content: async path => contentAt(tree, segmentsOf(parsePath(path))),
    close: async () => {},
  }
})

function folderAt(tree: MemoryFolder, names: string[]): MemoryFolder {
  return names.reduce((folder, name) => {
    const child = folder.children.get(name) ?? memoryFolder()
    if (child.kind !== 'folder') throw new Error(`${name} is not a folder`)
    folder.children.set(name, child)
    return child
  }, tree)
}

function plant(tree: MemoryFolder, path: string, node: MemoryNode): void {
  const names = segmentsOf(parsePath(path))
  place(folderAt(tree, names.slice(0, -1)), names.at(-1) ?? '', node)
}

function contentAt(tree: MemoryFolder, names: string[]): string | undefined {
  const node = folderAt(tree, names.slice(0, -1)).children.get(names.at(-1) ?? '')
  return node?.kind === 'file' ? node.data.toString() : undefined
}
