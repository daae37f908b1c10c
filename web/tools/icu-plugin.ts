import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Plugin } from 'vite'
import { type Compiled, compileMessage, readCatalogue } from './catalogue.ts'
import { SOURCE_CATALOGUE } from './i18n-types.ts'
import { packCatalogue } from './pack.ts'
import { displacementsFor, inPlaces } from './places.ts'
import { pseudoMessage } from './pseudo.ts'

/** Modules that are no files: the places of the texts, and English in the pseudo-language. */
const PLACES = 'virtual:text-places'
const PSEUDO = 'virtual:pseudo-texts'

/**
 * Compiles `locales/<code>.json` (ICU MessageFormat) to what `icu-minify/format` reads: a list in the order of
 * `virtual:text-places`, packed, one module per locale. A text that a catalogue lacks is the English one.
 */
export function icuPlugin(): Plugin {
  return {
    name: 'filigree:icu',
    enforce: 'pre',
    resolveId: id => (id === PLACES || id === PSEUDO ? `\0${id}` : null),
    load(id) {
      const file = id.split('?')[0] ?? id
      const isCatalogue = basename(dirname(file)) === 'locales' && file.endsWith('.json')
      const values = isCatalogue ? packCatalogue(textsOf(file)) : virtualValues(id)
      if (!values) return null
      for (const read of [SOURCE_CATALOGUE, file]) if (existsSync(read)) this.addWatchFile(read)
      return { code: `export default ${JSON.stringify(values)}`, moduleType: 'js', map: null }
    },
  }
}

function virtualValues(id: string): unknown {
  if (id === `\0${PLACES}`) return displacementsFor(Object.keys(readCatalogue(SOURCE_CATALOGUE)))
  if (id === `\0${PSEUDO}`) return packCatalogue(textsOf(SOURCE_CATALOGUE).map(pseudoMessage))
  return undefined
}

/** The compiled texts of a catalogue, each in its place. */
function textsOf(file: string): Compiled[] {
  const own = readCatalogue(file)
  const texts = Object.entries(readCatalogue(SOURCE_CATALOGUE)).map(
    ([key, english]) => [key, compileMessage(key, own[key] ?? english)] as const,
  )
  return inPlaces(new Map(texts))
}
