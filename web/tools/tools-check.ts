import { dirname, join } from 'node:path/posix'
import { isToolText } from './tool-areas.ts'

/** The application's entry module. */
const ENTRY = 'app/main.tsx'

const STATIC = /^(?:import|export)\b(?! type\b)[^'";]*?from '(\.[^']+)'|^import '(\.[^']+)'/gm
const DYNAMIC = /(lazyTool\(\(\) => )?\bimport\('(\.[^']+)'\)/g
const KEY = /['"`]([a-z][A-Za-z]*\.[A-Za-z0-9.]+)['"`]|\bt\(`([a-z][A-Za-z0-9.]*\.)\$\{/g

/**
 * Finds texts of tools in modules that do not wait for them: those reachable from the entry without `lazyTool`.
 * @param sources source files by path below `web/`
 * @param keys all keys
 */
export function checkTools(sources: ReadonlyMap<string, string>, keys: readonly string[]): string[] {
  const tools = keys.filter(isToolText)
  const known = (name: string) => tools.some(key => key === name || (name.endsWith('.') && key.startsWith(name)))
  return [...reachedWithoutTools(sources)].flatMap(file => {
    const named = [...(sources.get(file) ?? '').matchAll(KEY)].map(match => match[1] ?? match[2] ?? '')
    return [...new Set(named.filter(known))].map(key => `en: ${file} shows ${key} but does not come by lazyTool`)
  })
}

function reachedWithoutTools(sources: ReadonlyMap<string, string>): Set<string> {
  const reached = new Set<string>()
  const waiting = [ENTRY]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const source = sources.get(file)
    if (source === undefined || reached.has(file)) continue
    reached.add(file)
    waiting.push(...importsOf(file, source))
  }
  return reached
}

/** The modules that a file imports, statically or dynamically, except by `lazyTool`. */
function importsOf(file: string, source: string): string[] {
  const statics = [...source.matchAll(STATIC)].map(match => match[1] ?? match[2])
  const parts = [...source.matchAll(DYNAMIC)].filter(match => match[1] === undefined).map(match => match[2])
  return [...statics, ...parts].map(path => join(dirname(file), path ?? ''))
}
