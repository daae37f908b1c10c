// The server and its workers as a few files in the folder that is named.
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { EXTERNAL } from './lib/externals.mjs'
import { inRepo } from './lib/repo.mjs'

/** Parts of the runtime of which only what somebody asks for by name should be loaded. */
const LAZY = ['node:http', 'node:tls']
const RELATIVE_URL = /new URL\('(\.[^']+)', import\.meta\.url\)/g

/** Addresses of workers become those of their bundles, and addresses of files those seen from dist/server. */
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

/** dist/ takes the place of the clone: dist/package.json is written beside dist/server, dist/web lies there. */
function fromBundle(target) {
  const inDist = relative(inRepo('dist'), target)
  const path = inDist.startsWith('..') ? relative(inRepo(), target) : inDist
  return join('..', path).replaceAll('\\', '/')
}

/**
 * What a process list shows of a worker: features-previews-worker, say. Workers of one name would be taken for one, whatever
 * is in them, so all of the path is in it.
 */
function nameOf(target) {
  return relative(inRepo('server'), target).replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-')
}

/**
 * An import asks a part of the runtime for all that it exports, also for what that loads only when it is asked for: in
 * `node:http` a whole client for the web, which takes 15 MiB of memory. Here it is asked for nothing but values that are there.
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
// Lines stay as they are for those who read a trace. One sign beyond Latin-1 would double what a whole file takes of memory.
await bundle.write({
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  comments: false,
  dir: process.argv[2],
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()
