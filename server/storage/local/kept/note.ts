import { bytesOf, textOf } from '../../../../shared/bytes.ts'
import { type FilePath, joinPath, PathError, parsePath, trustedChild } from '../../../../shared/path.ts'
import type { KeptNote } from '../../kept.ts'

/** Bytes that need no escape in `Path=`: unreserved characters and the slash (RFC 2396, as the Trash specification). */
const PLAIN = /[A-Za-z0-9\-_.!~*'()/]/
const HEAD = '[Trash Info]'
/** Maximum length in characters of a note that is read: three for each byte of the longest path, and some keys. */
export const MAX_NOTE = 3 * 4096 + 4096

/** A note in the format of the FreeDesktop.org Trash specification 1.0, with keys of our own. @param path below the home */
export function formatNote(path: string, { id, username, deletedAt }: KeptNote): string {
  const lines = [
    HEAD,
    `Path=${escapePath(path)}`,
    `DeletionDate=${localTime(new Date(deletedAt))}`,
    `X-Filigree-Id=${id}`,
    `X-Filigree-User=${encodeURIComponent(username.toWellFormed())}`,
    `X-Filigree-Time=${deletedAt}`,
  ]
  return `${lines.join('\n')}\n`
}

/**
 * Reads a note. Unknown keys are ignored; the first of a repeated key counts.
 * @param home the folder of the served root that the path is relative to
 * @returns nothing where it names no path below the home
 */
export function parseNote(text: string, home: FilePath): (KeptNote & { place: FilePath }) | undefined {
  const [head, ...lines] = text.slice(0, MAX_NOTE).split(/\r?\n/)
  if (head?.trim() !== HEAD) return undefined
  const values = new Map<string, string>()
  for (const line of lines) {
    if (line.startsWith('[')) break
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? []
    if (!values.has(key)) values.set(key, value)
  }
  const place = placeOf(values.get('Path') ?? '', home)
  const deletedAt = Number(values.get('X-Filigree-Time') || Date.parse(values.get('DeletionDate') ?? ''))
  if (!place || !Number.isFinite(deletedAt)) return undefined
  const username = unescapeText(values.get('X-Filigree-User') ?? '')
  return { id: values.get('X-Filigree-Id') ?? '', username, deletedAt, place }
}

/**
 * Reads a note in a trash can of desktop programs. One that names no path below the home, such as `Path=../../etc`,
 * stands for a thing that was at the top of the disk.
 * @param name of the thing in the trash can
 * @returns nothing where there is no note; `deletedAt` is 0 if the note does not say it
 */
export function parseForeignNote(text: string, home: FilePath, name: string): ReturnType<typeof parseNote> {
  const noted = parseNote(text, home)
  if (noted || !text.startsWith(HEAD)) return noted
  const valueAt = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]?.trim() ?? ''
  const place = placeOf(valueAt('Path'), home) ?? trustedChild(home, name)
  return { id: '', username: '', deletedAt: Date.parse(valueAt('DeletionDate')) || 0, place }
}

/** The place that an escaped path below a home is; `undefined` for one that leads elsewhere. */
export function placeOf(escaped: string, home: FilePath): FilePath | undefined {
  const text = unescapeText(escaped)
  if (text === '' || text.startsWith('/')) return undefined
  try {
    return joinPath(home, parsePath(text))
  } catch (thrown) {
    if (thrown instanceof PathError) return undefined
    throw thrown
  }
}

/** The percent-encoded bytes of a path. */
export function escapePath(path: string): string {
  return Array.from(bytesOf(path), byte => {
    const char = String.fromCharCode(byte)
    return PLAIN.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}

/** The text of percent-encoded bytes; a `%` that begins no escape stands for itself. */
function unescapeText(escaped: string): string {
  const bytes: number[] = []
  for (const [piece, hex] of escaped.matchAll(/%([0-9a-f]{2})|[^%]+|%/gi)) {
    if (hex === undefined) bytes.push(...bytesOf(piece))
    else bytes.push(Number.parseInt(hex, 16))
  }
  return textOf(bytes)
}

/** `YYYY-MM-DDThh:mm:ss` in the server's time zone. */
function localTime(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}
