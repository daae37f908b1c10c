import type { Plugin } from 'vite'

/**
 * Preloads the font file of that name (without its hash): the first visit has the face of the later ones, as
 * `font-display: optional` uses a font only if it is there when the text is painted.
 */
export function fontPlugin(name: string): Plugin {
  return {
    name: 'filigree:font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.values(bundle ?? {}).find(({ fileName }) => fileName.includes(name))
        if (!font) throw new Error(`there is no font ${name}`)
        const href = `__STATIC_URL__/${font.fileName}`
        // Fonts are always fetched with CORS: without `crossorigin` the preloaded file would be fetched twice.
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}
