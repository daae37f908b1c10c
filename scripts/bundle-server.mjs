// Bundles the server and its workers into a few files in the given folder.
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { EXTERNAL } from './lib/externals.mjs'
import { inRepo } from './lib/repo.mjs'

/** Parts of the runtime that load more than needed when imported as a whole. */
const LAZY = ['node:http', 'node:tls']
const RELATIVE_URL = /new URL\('(\.[^']+)', import\.meta\.url\)/g

/** URLs of workers become those of their bundles, and URLs of files are relative to dist/server. */
const relativeUrls = {
  name: 'filigree:relative-urls',
  transform: {
    filter: { id: /[\\/]server[\\/].*\.ts$/ },
    handler(code, id) {
      const changed = code.replace(RELATIVE_URL, (_, path) => {
        const target = resolve(dirname(id), path)
        if (!target.endsWith('.ts'))
          return `new URL('${fromBundle(target)}${path.endsWith('/') ? '/' : ''}', import.meta.url)`
        const reference = this.emitFile({ type: 'chunk', id: target, name: nameOf(target) })
        return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
      })
      return changed === code ? null : { code: changed, map: null }
    },
  },
}

/** In a release, dist/ takes the place of the clone: dist/package.json lies next to dist/server, as does dist/web. */
function fromBundle(target) {
  const inDist = relative(inRepo('dist'), target)
  const path = inDist.startsWith('..') ? relative(inRepo(), target) : inDist
  return join('..', path).replaceAll('\\', '/')
}

/**
 * The name of a worker in a process list: features-previews-worker, say. Workers of the same name would share a bundle,
 * whatever is in them, so the name contains the whole path.
 */
function nameOf(target) {
  return relative(inRepo('server'), target).replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-')
}

/**
 * A default import of a built-in module evaluates all of its exports, also those that are loaded lazily: in `node:http`
 * a whole HTTP client, which takes 15 MiB of memory. Here only the used values are imported.
 */
const lazyParts = {
  name: 'filigree:lazy-parts',
  resolveId(source, _importer, { kind }) {
    return kind === 'import-statement' && LAZY.includes(source) ? `\0${source}` : null
  },
  load(id) {
    const part = LAZY.find(name => id === `\0${name}`)
    if (!part) return null
    const all = Object.getOwnPropertyDescriptors(process.getBuiltinModule(part))
    const names = Object.keys(all).filter(name => 'value' in all[name])
    return `export const { ${names.join(', ')} } = process.getBuiltinModule('${part}')\n`
  },
}

const bundle = await rolldown({
  input: { filigree: inRepo('server/cli/index.ts') },
  platform: 'node',
  external: [new RegExp(`^node:(?!(${LAZY.map(name => name.slice(5)).join('|')})$)`), ...EXTERNAL],
  plugins: [relativeUrls, lazyParts],
})
// Lines are kept for stack traces. One character beyond Latin-1 would double the memory of a whole file.
await bundle.write({
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  comments: false,
  dir: process.argv[2],
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()
