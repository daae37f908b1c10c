import type { Plugin } from 'vite'

const NAME = 'preload'

/** A module that runs before the application has loaded: bundled with its imports as a script of its own. */
export function preloadGroup(file: string) {
  return { name: NAME, test: (id: string) => id === file, priority: 1 }
}

/** Adds that script to the page. In development the application makes the requests itself. */
export function preloadPlugin(file: string): Plugin {
  return {
    name: 'filigree:preload',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: file, name: NAME })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const chunk = Object.values(bundle ?? {}).find(output => output.type === 'chunk' && file in output.modules)
        if (!chunk) throw new Error('there is no preload script')
        const src = `__STATIC_URL__/${chunk.fileName}`
        const attrs = { type: 'module', async: true, fetchpriority: 'high', crossorigin: true, src }
        // After the configuration, which it reads.
        return [{ tag: 'script', attrs, injectTo: 'head' }]
      },
    },
  }
}
