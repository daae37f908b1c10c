import type { Plugin } from 'vite'

/** Vite's own wrapper of dynamic imports. */
const WRAPPER = '\0vite/preload-helper.js'

/** Replaces Vite's wrapper of dynamic imports by `fetchFirst` of `file`. */
export function fetchFirstPlugin(file: string): Plugin {
  return {
    name: 'filigree:fetch-first',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      return id === WRAPPER ? `export { fetchFirst as __vitePreload } from ${JSON.stringify(file)}` : null
    },
  }
}
