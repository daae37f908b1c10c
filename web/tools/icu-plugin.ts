import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Plugin } from 'vite'
import { type ChunkName, chunkOf } from '../lib/i18n/chunks.ts'
import { type Compiled, compileMessage, readCatalogue } from './catalogue.ts'
import { SOURCE_CATALOGUE } from './i18n-types.ts'
import { packCatalogue } from './pack.ts'
import { displacementsFor, inPlaces } from './places.ts'
import { pseudoMessage } from './pseudo.ts'

/** Virtual modules: the indices of the texts, and the pseudo-locale. */
const PLACES = 'virtual:text-places'
const PSEUDO = 'virtual:pseudo-texts'

/** Query for the texts of tools instead of the main chunk. */
const TOOLS = '?tools'

/**
 * Compiles `locales/<code>.json` (ICU MessageFormat) to the format of `icu-minify/format`: lists in the order of
 * `virtual:text-places`, packed, two modules per locale. A missing text falls back to English.
 */
export function icuPlugin(): Plugin {
  return {
    name: 'filigree:icu',
    enforce: 'pre',
    resolveId: id => ([PLACES, PSEUDO, PSEUDO + TOOLS].includes(id) ? `\0${id}` : null),
    load(id) {
      const [file = id] = id.split('?')
      const name = id.endsWith(TOOLS) ? 'tools' : 'everyday'
      const values = isCatalogue(file) ? packCatalogue(textsOf(file, name)) : virtualValues(file, name)
      if (!values) return null
      for (const read of [SOURCE_CATALOGUE, file]) if (existsSync(read)) this.addWatchFile(read)
      return { code: `export default ${JSON.stringify(values)}`, moduleType: 'js', map: null }
    },
  }
}

const isCatalogue = (file: string): boolean => basename(dirname(file)) === 'locales' && file.endsWith('.json')

function virtualValues(file: string, name: ChunkName): unknown {
  if (file === `\0${PLACES}`) {
    return { everyday: displacementsFor(keysOf('everyday')), tools: displacementsFor(keysOf('tools')) }
  }
  if (file === `\0${PSEUDO}`) return packCatalogue(textsOf(SOURCE_CATALOGUE, name).map(pseudoMessage))
  return undefined
}

const keysOf = (name: ChunkName): string[] =>
  Object.keys(readCatalogue(SOURCE_CATALOGUE)).filter(key => chunkOf(key) === name)

/** The compiled texts of one chunk of a catalogue, each at its index. */
function textsOf(file: string, name: ChunkName): Compiled[] {
  const own = readCatalogue(file)
  const english = readCatalogue(SOURCE_CATALOGUE)
  const texts = keysOf(name).map(key => [key, compileMessage(key, own[key] ?? english[key] ?? '')] as const)
  return inPlaces(new Map(texts))
}
