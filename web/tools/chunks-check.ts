import { dirname, join } from 'node:path/posix'
import { chunkOf, LATER_CHUNKS, LOADERS } from './text-chunks.ts'

/** The application's entry module. */
const ENTRY = 'app/main.tsx'

const STATIC = /^(?:import|export)\b(?! type\b)[^'";]*?from '(\.[^']+)'|^import '(\.[^']+)'/gm
const DYNAMIC = /(?:(\w+)\(\(\) => )?\bimport\('(\.[^']+)'\)/g
const KEY = /['"`]([a-z][A-Za-z]*\.[A-Za-z0-9.]+)['"`]|\bt\(`([a-z][A-Za-z0-9.]*\.)\$\{/g

/**
 * Finds texts of a later chunk in modules that do not wait for it: those reachable from the entry without its loaders.
 * @param sources source files by path below `web/`
 * @param keys all keys
 */
export function checkChunks(sources: ReadonlyMap<string, string>, keys: readonly string[]): string[] {
  return LATER_CHUNKS.flatMap(chunk => {
    const texts = keys.filter(key => chunkOf(key) === chunk)
    return tooEarly(sources, texts, LOADERS[chunk])
  })
}

function tooEarly(
  sources: ReadonlyMap<string, string>,
  texts: readonly string[],
  loaders: readonly string[],
): string[] {
  const known = (name: string) => texts.some(key => key === name || (name.endsWith('.') && key.startsWith(name)))
  return [...reachedWithout(sources, loaders)].flatMap(file => {
    const named = [...(sources.get(file) ?? '').matchAll(KEY)].map(match => match[1] ?? match[2] ?? '')
    return [...new Set(named.filter(known))].map(key => `en: ${file} shows ${key} but does not come by ${loaders[0]}`)
  })
}

function reachedWithout(sources: ReadonlyMap<string, string>, loaders: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const waiting = [ENTRY]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const source = sources.get(file)
    if (source === undefined || reached.has(file)) continue
    reached.add(file)
    waiting.push(...importsOf(file, source, loaders))
  }
  return reached
}

/** The modules that a file imports, statically or dynamically, except by these loaders. */
function importsOf(file: string, source: string, loaders: readonly string[]): string[] {
  const statics = [...source.matchAll(STATIC)].map(match => match[1] ?? match[2])
  const parts = [...source.matchAll(DYNAMIC)].filter(match => !loaders.includes(match[1] ?? '')).map(match => match[2])
  return [...statics, ...parts].map(path => join(dirname(file), path ?? ''))
}
