import type { Plugin } from 'vite'

const ORDER = '@layer reset, tokens, base, components, utilities;'

/**
 * Prepends the layer order to every style sheet. Layers rank by first mention, and the chunks' style sheets arrive in
 * any order.
 */
export function layersPlugin(): Plugin {
  return {
    name: 'filigree:layers',
    enforce: 'pre',
    transform(code, id) {
      if (!/\.css(?:$|\?)/.test(id) || id.includes('/node_modules/')) return null
      return { code: `${ORDER}\n${code}`, map: null }
    },
  }
}
