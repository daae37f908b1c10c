// Bundles the server and its workers into a few files in the given folder.
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { EXTERNAL } from './lib/externals.mjs'
import { inRepo } from './lib/repo.mjs'

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

/**
 * Importing `node:http` evaluates each of its exports, among them those that load Node's HTTP client: a tenth of a start,
 * and memory for nothing. A property that is not read is not evaluated.
 */
const lazyHttp = {
  name: 'filigree:lazy-http',
  resolveId: { filter: { id: /^(node:)?http$/ }, handler: () => '\0http' },
  load: {
    filter: { id: /^\0http$/ },
    handler: () => ({ code: "module.exports = process.getBuiltinModule('node:http')", moduleType: 'js' }),
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

const bundle = await rolldown({
  input: { filigree: inRepo('server/cli/index.ts') },
  platform: 'node',
  external: [/^node:(?!http$)/, ...EXTERNAL],
  plugins: [lazyHttp, relativeUrls],
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
