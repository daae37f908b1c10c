import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Plugin } from 'vite'

interface ChunkSizes {
  file: string
  isEntry: boolean
  imports: string[]
  dynamicImports: string[]
  /** Bytes of each module, before compression. */
  modules: Record<string, number>
}

/** Writes the modules of each chunk with their sizes, for the size check. */
export function sizesPlugin(file: string, root: string): Plugin {
  return {
    name: 'filigree:sizes',
    apply: 'build',
    writeBundle(_options, bundle) {
      const chunks: ChunkSizes[] = []
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const modules = Object.entries(chunk.modules).map(([id, module]) => [relative(root, id), module.renderedLength])
        chunks.push({
          file: chunk.fileName,
          isEntry: chunk.isEntry,
          imports: chunk.imports,
          dynamicImports: chunk.dynamicImports,
          modules: Object.fromEntries(modules),
        })
      }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${JSON.stringify({ chunks }, null, 1)}\n`)
    },
  }
}
