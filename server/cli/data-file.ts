import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { parse, stringify } from 'yaml'
import { AppError } from '../errors.ts'

type Format = 'json' | 'yaml'

/**
 * Reads an exported file, of Filigree or File Browser. Names in YAML may be in lower case (http-api 19.2); `like`, an object
 * with all names, restores their case.
 * @throws AppError `bad_request` with a message for the console
 */
export function readDataFile(path: string, like: unknown): unknown {
  const format = formatOf(path)
  const text = readTextFile(path)
  const content = attempt(path, 'parsed', (): unknown => (format === 'json' ? JSON.parse(text) : parse(text)))
  return restoreCase(content, like)
}

/** @throws AppError `bad_request` with a message for the console */
export const readTextFile = (path: string): string => attempt(path, 'read', () => readFileSync(path, 'utf8'))

/**
 * Writes a file for an import, atomically and with mode 0600, as it contains secrets. An existing file is replaced.
 * @throws AppError `bad_request` with a message for the console
 */
export function writeDataFile(path: string, content: unknown): void {
  const format = formatOf(path)
  const text =
    format === 'json' ? `${JSON.stringify(content, undefined, 4)}\n` : stringify(lowerCase(content), { lineWidth: 0 })
  writeTextFile(path, text)
}

/** The same for a text of any form. */
export function writeTextFile(path: string, text: string): void {
  const unfinished = `${resolve(path)}.${randomBytes(6).toString('hex')}`
  attempt(path, 'written', () => {
    try {
      writeFileSync(unfinished, text, { flag: 'wx', mode: 0o600 })
      renameSync(unfinished, path)
    } finally {
      rmSync(unfinished, { force: true })
    }
  })
}

/** Whether the file is YAML, which writes bytes as a list of numbers. */
export const isYaml = (path: string): boolean => formatOf(path) === 'yaml'

function formatOf(path: string): Format {
  const ending = extname(path).toLowerCase()
  if (ending === '.json') return 'json'
  if (ending === '.yaml' || ending === '.yml') return 'yaml'
  throw new AppError('bad_request', `The name of the file must end in .json, .yaml or .yml, not '${path}'.`)
}

function attempt<T>(path: string, operation: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new AppError('bad_request', `The file ${path} cannot be ${operation}: ${reason}`, { cause: error })
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Renames keys that differ from those of `like` only in case. */
export function restoreCase(value: unknown, like: unknown): unknown {
  if (Array.isArray(value)) {
    const item: unknown = Array.isArray(like) ? like[0] : undefined
    return value.map(inner => restoreCase(inner, item))
  }
  if (!isRecord(value) || !isRecord(like)) return value
  const proper = new Map(Object.keys(like).map(name => [name.toLowerCase(), name]))
  const entries = Object.entries(value).map(([name, inner]) => {
    const known = proper.get(name.toLowerCase()) ?? name
    return [known, restoreCase(inner, like[known])] as const
  })
  return Object.fromEntries(entries)
}

function lowerCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCase)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toLowerCase(), lowerCase(inner)]))
}
