import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Folders of pdf.js with the files it loads by name on demand: character maps, fonts, decoders; with their licences.
 */
const FOLDERS: Readonly<Record<string, RegExp>> = {
  cmaps: /\.bcmap$|^LICENSE/,
  standard_fonts: /\.(?:pfb|ttf)$|^LICENSE/,
  wasm: /_nowasm_fallback\.js$|^LICENSE/,
}

/** Emits these files into a folder next to the built ones, named after the version: they are immutable, too. */
export function pdfFilesPlugin(): Plugin {
  return {
    name: 'filigree:pdf-files',
    apply: 'build',
    generateBundle() {
      const library = dirname(dirname(fileURLToPath(import.meta.resolve('pdfjs-dist'))))
      const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as { version: string }
      for (const [folder, wanted] of Object.entries(FOLDERS)) {
        for (const name of readdirSync(join(library, folder)).filter(file => wanted.test(file))) {
          const source = readFileSync(join(library, folder, name))
          this.emitFile({ type: 'asset', fileName: `assets/pdf-${version}/${name}`, source })
        }
      }
    },
  }
}
