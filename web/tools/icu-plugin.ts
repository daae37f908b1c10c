import { basename, dirname } from 'node:path'
import type { Plugin } from 'vite'
import { compileMessage, readCatalogue } from './catalogue.ts'

/** Compiles `locales/<code>.json` (ICU MessageFormat) to what `icu-minify/format` reads; one module per locale. */
export function icuPlugin(): Plugin {
  return {
    name: 'filigree:icu',
    enforce: 'pre',
    load(id) {
      const file = id.split('?')[0] ?? id
      if (basename(dirname(file)) !== 'locales' || !file.endsWith('.json')) return null
      this.addWatchFile(file)
      const compiled = Object.entries(readCatalogue(file)).map(([key, text]) => [key, compileMessage(key, text)])
      const json = JSON.stringify(JSON.stringify(Object.fromEntries(compiled)))
      return { code: `export default JSON.parse(${json})`, moduleType: 'js', map: null }
    },
  }
}
