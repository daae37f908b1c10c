// Measures the script of the first load (the index page's own, what it preloads, all static imports of those) in the
// build (dist/web) with the build's metadata (dist/meta.json), the texts of each language, and some parts that are loaded
// later. Fails above the budgets and lists the largest parts.
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo } from './lib/repo.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

/** Script of the first load, in bytes after gzip. */
const BUDGET = 130_000
/** Each chunk with texts of one language. */
const LANGUAGE_BUDGET = 10_000
/** Chunks that are loaded later, by a module in them. */
const LATER = {
  'web/features/preview/slideshow/slideshow.tsx': 4_000,
  'web/features/preview/music/card.tsx': 12_000,
}
const SHOWN_MODULES = 12

await ensureInstalled()
await ensureWebBuilt()
const { chunks } = JSON.parse(readFileSync(inRepo('dist', 'meta.json'), 'utf8'))
const loaded = firstLoad(chunks).map(chunk => ({ ...chunk, gzip: gzipSize(chunk.file) }))
const total = loaded.reduce((sum, chunk) => sum + chunk.gzip, 0)
const languages = languageSizes(chunks)
const heavy = languages.filter(({ gzip }) => gzip > LANGUAGE_BUDGET)
const grown = Object.entries(LATER).flatMap(([id, budget]) =>
  laterSize(id) > budget ? [{ id, budget, gzip: laterSize(id) }] : [],
)
const lines = [
  `first-load script ${kilo(total)} of ${kilo(BUDGET)}, ${languages[0].code} ${kilo(languages[0].gzip)} of ${kilo(LANGUAGE_BUDGET)} (gzip)`,
]
if (total > BUDGET) lines.push(...chunkLines(loaded), ...moduleLines(loaded))
for (const { code, gzip } of heavy) lines.push(`  the language ${code} has ${kilo(gzip)}`)
for (const { id, budget, gzip } of grown) lines.push(`  the chunk of ${id} has ${kilo(gzip)} of ${kilo(budget)}`)
process.stdout.write(`${lines.join('\n')}\n`)
process.exitCode = total > BUDGET || heavy.length > 0 || grown.length > 0 ? 1 : 0

function firstLoad(chunks) {
  const page = readFileSync(inRepo('dist', 'web', 'index.html'), 'utf8')
  const byFile = new Map(chunks.map(chunk => [chunk.file, chunk]))
  const found = new Set()
  const visit = chunk => {
    if (chunk === undefined || found.has(chunk)) return
    found.add(chunk)
    for (const file of chunk.imports) visit(byFile.get(file))
  }
  for (const chunk of chunks) if (page.includes(chunk.file)) visit(chunk)
  if (found.size === 0) throw new Error('dist/meta.json names none of the scripts of dist/web/index.html; build again')
  return [...found]
}

/** The chunks with the texts of a language, the largest first. */
function languageSizes(chunks) {
  const sizes = chunks.flatMap(({ file, modules }) => {
    const code = Object.keys(modules).map(id => /^web\/locales\/([\w-]+)\.json(?:\?\w+)?$/.exec(id)?.[1])[0]
    return code === undefined ? [] : [{ code, gzip: gzipSize(file) }]
  })
  return sizes.sort((a, b) => b.gzip - a.gzip)
}

/** The chunk with a module, without those that it imports. */
function laterSize(id) {
  const chunk = chunks.find(({ modules }) => id in modules)
  if (chunk === undefined) throw new Error(`dist/meta.json has no chunk with ${id}`)
  return gzipSize(chunk.file)
}

function gzipSize(file) {
  const ready = inRepo('dist', 'web', `${file}.gz`)
  return existsSync(ready) ? readFileSync(ready).length : gzipSync(readFileSync(inRepo('dist', 'web', file))).length
}

function kilo(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`
}

function chunkLines(loaded) {
  const sorted = [...loaded].sort((a, b) => b.gzip - a.gzip)
  return ['', 'Chunks (gzip):', ...sorted.map(chunk => `  ${kilo(chunk.gzip).padStart(9)}  ${chunk.file}`)]
}

function moduleLines(loaded) {
  const modules = loaded.flatMap(chunk => Object.entries(chunk.modules)).sort((a, b) => b[1] - a[1])
  const shown = modules.slice(0, SHOWN_MODULES).map(([id, bytes]) => `  ${kilo(bytes).padStart(9)}  ${id}`)
  return ['', 'Largest modules (before minifying or gzip):', ...shown]
}
