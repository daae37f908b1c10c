import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join, resolve } from 'node:path'
import type * as Toml from 'smol-toml'
import type * as Yaml from 'yaml'
import { AppError } from '../errors.ts'

/** A configuration file: its values as text, by the names in the file. */
export interface ConfigFile {
  path: string
  values: ReadonlyMap<string, string>
}

/** Names of the default configuration files; the first found wins (http-api 19.1). */
const NAMES = [
  '.filigree.json',
  '.filigree.yaml',
  '.filigree.yml',
  '.filigree.toml',
  '.filebrowser.json',
  '.filebrowser.toml',
  '.filebrowser.yaml',
  '.filebrowser.yml',
]
/** The keys, in lower case, of a list of maps: its text is JSON. */
const LISTS: readonly string[] = ['providers', 'directories']
/** The same of a map of maps. */
const MAPS: readonly string[] = ['roots']
const FOLDERS = ['/etc/filigree', '/etc/filebrowser']

/** Parsers are loaded on demand. */
const require = createRequire(import.meta.url)
const PARSERS: Record<string, (text: string) => unknown> = {
  '.json': text => JSON.parse(text),
  '.yaml': text => (require('yaml') as typeof Yaml).parse(text),
  '.yml': text => (require('yaml') as typeof Yaml).parse(text),
  '.toml': text => (require('smol-toml') as typeof Toml).parse(text),
}

/**
 * Reads the named file, or else the first one found in the current folder, the home folder or `/etc`.
 * @param named path, or `''`
 * @throws AppError `bad_request` for a named file that is missing, and for an invalid one
 */
export function readConfigFile(named: string, home: string | undefined): ConfigFile | undefined {
  if (named !== '') return read(resolve(named)) ?? refuse(named, 'The file does not exist')
  const folders = ['.', ...(home ? [home] : []), ...FOLDERS]
  for (const folder of folders) {
    for (const name of NAMES) {
      const file = read(resolve(join(folder, name)))
      if (file) return file
    }
  }
  return undefined
}

/**
 * The value in the file that a `…_FILE` variable names, without a trailing line break.
 * @throws AppError `bad_request` for a missing or unreadable file
 */
export function readValueFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new AppError('bad_request', `The file ${path} that ${variable} names cannot be read (${code}).`)
  }
}

function read(path: string): ConfigFile | undefined {
  const parse = PARSERS[extname(path).toLowerCase()]
  if (!parse) return refuse(path, 'Its name must end in .json, .yaml, .yml or .toml')
  const text = readText(path)
  if (text === undefined) return undefined
  return { path, values: valuesIn(path, parsed(path, text, parse)) }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return refuse(path, `It cannot be read (${code})`)
  }
}

function parsed(path: string, text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return refuse(path, `It cannot be parsed: ${reason}`)
  }
}

function valuesIn(path: string, content: unknown): Map<string, string> {
  if (content === null || content === undefined) return new Map()
  if (typeof content !== 'object' || Array.isArray(content)) return refuse(path, 'It must be a map of names to values')
  const entries = Object.entries(content).filter(([, value]) => value !== null)
  return new Map(
    entries.map(([name, value]) => {
      if (Array.isArray(value) && LISTS.includes(name.toLowerCase())) return [name, JSON.stringify(value)]
      if (typeof value === 'object' && MAPS.includes(name.toLowerCase())) return [name, JSON.stringify(value)]
      if (typeof value === 'object') return refuse(path, `'${name}' must be a single value`)
      return [name, String(value)]
    }),
  )
}

function refuse(path: string, reason: string): never {
  throw new AppError('bad_request', `The configuration file ${path} cannot be used. ${reason}.`)
}
