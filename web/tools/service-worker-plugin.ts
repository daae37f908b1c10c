import { createHash } from 'node:crypto'
import { build, type Plugin } from 'vite'

/** Emits the service worker as one file `sw.js`, with a hash of the build as `BUILD` in it. */
export function serviceWorkerPlugin(input: string): Plugin {
  return {
    name: 'filigree:service-worker',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const hash = createHash('sha256').update(Object.keys(bundle).sort().join('\n')).digest('hex').slice(0, 16)
      const built = await build({
        configFile: false,
        logLevel: 'error',
        define: { BUILD: JSON.stringify(hash) },
        build: { write: false, rolldownOptions: { input, output: { format: 'iife' } } },
      })
      const [worker] = 'output' in built ? built.output : []
      if (worker?.type !== 'chunk') this.error('the service worker is not one file')
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker.code })
    },
  }
}
