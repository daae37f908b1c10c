import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Plugin } from 'vite'
import { type CatalogueName, catalogueOf } from '../lib/i18n/chunks.ts'
import { type Compiled, compileMessage, readCatalogue } from './catalogue.ts'
import { SOURCE_CATALOGUE } from './i18n-types.ts'
import { packCatalogue } from './pack.ts'
import { displacementsFor, inPlaces } from './places.ts'
import { pseudoMessage } from './pseudo.ts'

/** Modules that are no files: the places of the texts, and English in the pseudo-language. */
const PLACES = 'virtual:text-places'
const PSEUDO = 'virtual:pseudo-texts'

/** Asks for the texts of tools instead of those of every day. */
const TOOLS = '?tools'

/**
 * Compiles `locales/<code>.json` (ICU MessageFormat) to what `icu-minify/format` reads: lists in the order of
 * `virtual:text-places`, packed, two modules per locale. A text that a catalogue lacks is the English one.
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

function virtualValues(file: string, name: CatalogueName): unknown {
  if (file === `\0${PLACES}`) {
    return { everyday: displacementsFor(keysOf('everyday')), tools: displacementsFor(keysOf('tools')) }
  }
  if (file === `\0${PSEUDO}`) return packCatalogue(textsOf(SOURCE_CATALOGUE, name).map(pseudoMessage))
  return undefined
}

const keysOf = (name: CatalogueName): string[] =>
  Object.keys(readCatalogue(SOURCE_CATALOGUE)).filter(key => catalogueOf(key) === name)

/** The compiled texts of one chunk of a catalogue, each in its place. */
function textsOf(file: string, name: CatalogueName): Compiled[] {
  const own = readCatalogue(file)
  const english = readCatalogue(SOURCE_CATALOGUE)
  const texts = keysOf(name).map(key => [key, compileMessage(key, own[key] ?? english[key] ?? '')] as const)
  return inPlaces(new Map(texts))
}
