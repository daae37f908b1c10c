import { byteLength, decodeEscapes, encodeName, saysItsBytes } from './bytes.ts'

/**
 * Paths inside a user's scope, as every layer speaks of them.
 *
 * A `FilePath` is absolute, `/`-separated, decoded exactly once, without a trailing slash (the root is `/`), without
 * empty, `.` or `..` segments, without NUL, every name at most 255 bytes. Bytes that are not UTF-8 are carried as
 * `bytes.ts` says, and each path has one spelling only. Only `parsePath` and the helpers below make one, so an unchecked
 * string cannot reach a storage driver: it does not type-check.
 */

declare const brand: unique symbol
export type FilePath = string & { readonly [brand]: 'FilePath' }

export const ROOT = '/' as FilePath

/** Longest name of a file or folder, in bytes (NAME_MAX of every supported file system). */
export const MAX_NAME_BYTES = 255
/** Longest path, in bytes (PATH_MAX on Linux). */
export const MAX_PATH_BYTES = 4096

export type PathProblem = 'malformed' | 'dot-segment' | 'empty-segment' | 'nul' | 'name-too-long' | 'path-too-long'

/** A path that is refused, never repaired. `problem` is the reason, for the message to the user. */
export class PathError extends Error {
  readonly problem: PathProblem
  constructor(problem: PathProblem) {
    super(`refused path: ${problem}`)
    this.name = 'PathError'
    this.problem = problem
  }
}

/**
 * Validates one decoded name (a path segment).
 * @throws PathError
 */
export function checkName(name: string): string {
  if (name === '') throw new PathError('empty-segment')
  if (name === '.' || name === '..') throw new PathError('dot-segment')
  if (name.includes('/')) throw new PathError('malformed')
  if (name.includes('\0')) throw new PathError('nul')
  if (!saysItsBytes(name)) throw new PathError('malformed')
  if (name.length > MAX_NAME_BYTES || byteLength(name) > MAX_NAME_BYTES) throw new PathError('name-too-long')
  return name
}

/**
 * Makes a `FilePath` of a decoded path. One leading slash may be missing and one trailing slash is dropped (call
 * `endsWithSlash` first where it has a meaning); everything else that is not canonical is refused.
 * @throws PathError
 */
export function parsePath(decoded: string): FilePath {
  let text = decoded.startsWith('/') ? decoded.slice(1) : decoded
  if (text.endsWith('/')) text = text.slice(0, -1)
  if (text === '' && decoded.length <= 1) return ROOT
  for (const name of text.split('/')) checkName(name)
  if (byteLength(text) >= MAX_PATH_BYTES) throw new PathError('path-too-long')
  return `/${text}` as FilePath
}

/**
 * Decodes the path part of a request target, once, and parses it. `%2F` is a separator, as in http-api 1.2. Bytes that
 * are not UTF-8 are bytes of names like all others.
 * @throws PathError for a bad escape and whatever `parsePath` refuses
 */
export function parseEncodedPath(encoded: string): FilePath {
  const decoded = decodeEscapes(encoded)
  if (decoded === undefined) throw new PathError('malformed')
  return parsePath(decoded)
}

/** Whether an encoded path means a folder (http-api 1.5: the trailing slash is significant). */
export function endsWithSlash(encoded: string): boolean {
  return /(?:\/|%2f)$/i.test(encoded)
}

/** Percent-encodes a path segment by segment; the inverse of `parseEncodedPath`. Keeps a trailing slash. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeName).join('/')
}

/** The last name of a path; `''` for the root. */
export function nameOf(path: FilePath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The folder that holds a path; the root is its own parent. */
export function parentOf(path: FilePath): FilePath {
  const cut = path.lastIndexOf('/')
  return (cut <= 0 ? '/' : path.slice(0, cut)) as FilePath
}

/**
 * A child of a folder.
 * @throws PathError for an invalid name
 */
export function childOf(folder: FilePath, name: string): FilePath {
  return trustedChild(folder, checkName(name))
}

/** A child whose name comes from the storage and needs no check. */
export function trustedChild(folder: FilePath, name: string): FilePath {
  return (folder === '/' ? `/${name}` : `${folder}/${name}`) as FilePath
}

/** Whether `path` is `folder` or lies below it, at a `/` boundary. What is in another root is not below `/`. */
export function isWithin(path: FilePath, folder: FilePath): boolean {
  if (folder === '/') return path[1] !== '/'
  return path === folder || path.startsWith(`${folder}/`)
}

/** Joins `path`, which is absolute within `base`, onto `base`. */
export function joinPath(base: FilePath, path: FilePath): FilePath {
  if (base === '/') return path
  return (path === '/' ? base : base + path) as FilePath
}

/** The folders above a path and the path itself, from the root down. */
export function pathsDownTo(path: FilePath): FilePath[] {
  const names = segmentsOf(path)
  return [ROOT, ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}` as FilePath)]
}

/** The names of a path, outermost first; `[]` for the root. */
export function segmentsOf(path: FilePath): string[] {
  return path === '/' ? [] : path.slice(1).split('/')
}

/** The extension as on the wire (http-api 15.1): from the last dot, dot included, case kept; `.bashrc` is one. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot)
}

/** `name(2).ext`, as copies are numbered (http-api 3.5); the name itself for 0. */
export function numberedName(name: string, copy: number): string {
  if (copy === 0) return name
  const extension = extensionOf(name)
  return `${name.slice(0, name.length - extension.length)}(${copy})${extension}`
}
