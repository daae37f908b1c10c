import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join, resolve } from 'node:path'
import type * as Toml from 'smol-toml'
import type * as Yaml from 'yaml'
import { AppError } from '../errors.ts'

/** A file with settings: what it says, by the names it uses, as text. */
export interface ConfigFile {
  path: string
  values: ReadonlyMap<string, string>
}

/** Names that are looked for when no file is named, the first found wins (http-api 19.1). */
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
const FOLDERS = ['/etc/filigree', '/etc/filebrowser']

/** The parsers are loaded only by those who have such a file. */
const require = createRequire(import.meta.url)
const PARSERS: Record<string, (text: string) => unknown> = {
  '.json': text => JSON.parse(text),
  '.yaml': text => (require('yaml') as typeof Yaml).parse(text),
  '.yml': text => (require('yaml') as typeof Yaml).parse(text),
  '.toml': text => (require('smol-toml') as typeof Toml).parse(text),
}

/**
 * Reads the file that was named, or else the first that lies in the current folder, the home folder or `/etc`.
 * @param named `''` when none was named
 * @throws AppError `bad_request` for a named file that is missing, and for one that cannot be understood
 */
export function readConfigFile(named: string, home: string | undefined): ConfigFile | undefined {
  if (named !== '') return read(resolve(named)) ?? refuse(named, 'There is no such file')
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
 * What a `…_FILE` variable names: the text of a file, without the line break at its end.
 * @throws AppError `bad_request` for a file that is not there or cannot be read
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
    return refuse(path, `It cannot be understood: ${reason}`)
  }
}

function valuesIn(path: string, content: unknown): Map<string, string> {
  if (content === null || content === undefined) return new Map()
  if (typeof content !== 'object' || Array.isArray(content)) return refuse(path, 'It must hold names and values')
  const entries = Object.entries(content).filter(([, value]) => value !== null)
  return new Map(
    entries.map(([name, value]) => {
      if (typeof value === 'object') return refuse(path, `'${name}' must be a single value`)
      return [name, String(value)]
    }),
  )
}

function refuse(path: string, reason: string): never {
  throw new AppError('bad_request', `The configuration file ${path} cannot be used. ${reason}.`)
}
