import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Plugin } from 'vite'
import { type Compiled, compileMessage, readCatalogue } from './catalogue.ts'
import { SOURCE_CATALOGUE } from './i18n-types.ts'
import { pseudoMessage } from './pseudo.ts'
import { chunkOf } from './text-chunks.ts'

/** Virtual module: the texts of the pseudo-locale. */
const PSEUDO = 'virtual:pseudo-texts'

/**
 * Compiles `locales/<code>.json` (ICU MessageFormat) to objects of texts by key, in the format of
 * `icu-minify/format`, one module per locale and chunk: the query names it,
 * none the everyday texts. A missing text falls back to English.
 */
export function icuPlugin(): Plugin {
  return {
    name: 'filigree:icu',
    enforce: 'pre',
    resolveId: id => (id.split('?')[0] === PSEUDO ? `\0${id}` : null),
    load(id) {
      const [file = id, chunk] = id.split('?')
      const isPseudo = file === `\0${PSEUDO}`
      if (!isPseudo && !isCatalogue(file)) return null
      const source = isPseudo ? SOURCE_CATALOGUE : file
      for (const read of [SOURCE_CATALOGUE, source]) if (existsSync(read)) this.addWatchFile(read)
      const texts = textsOf(source, chunk, isPseudo ? pseudoMessage : message => message)
      return { code: `export default ${JSON.stringify(texts)}`, moduleType: 'js', map: null }
    },
  }
}

const isCatalogue = (file: string): boolean => basename(dirname(file)) === 'locales' && file.endsWith('.json')

/** The compiled texts of one chunk of a catalogue. */
function textsOf(file: string, chunk: string | undefined, change: (message: Compiled) => Compiled) {
  const own = readCatalogue(file)
  const english = readCatalogue(SOURCE_CATALOGUE)
  const keys = Object.keys(english).filter(key => chunkOf(key) === chunk)
  return Object.fromEntries(keys.map(key => [key, change(compileMessage(key, own[key] ?? english[key] ?? ''))]))
}
