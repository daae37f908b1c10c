import { isUtf8 } from 'node:buffer'
import { type Dirent, opendirSync, readdirSync, readlinkSync } from 'node:fs'
import { bytesOf, textOf } from '../../../shared/bytes.ts'

/** A path for system calls: bytes where it is not UTF-8, because Node would replace those in a string. */
export type NativePath = string | Buffer

/** Node's replacement for bytes that are not UTF-8; a file name may also really contain it. */
export const REPLACEMENT = '\uFFFD'

export function nativePath(path: string): NativePath {
  return path.isWellFormed() ? path : Buffer.from(bytesOf(path))
}

/** The text of a name or path from the system, in the encoding of `shared/bytes.ts`. */
export function textFrom(bytes: Buffer): string {
  const text = bytes.toString()
  return text.includes(REPLACEMENT) ? textOf(bytes) : text
}

/** The target of a link. Reading bytes costs more, here as below, and few names need it. */
export function readLinkSync(link: string): string {
  const target = readlinkSync(link)
  return target.includes(REPLACEMENT) ? textFrom(readlinkSync(link, 'buffer')) : target
}

/** Children read per batch. */
const AT_ONCE = 256

/** Names in a folder. */
export function readNamesSync(folder: string): string[] {
  const at = nativePath(folder)
  const names = readdirSync(at)
  return names.some(name => name.includes(REPLACEMENT)) ? readdirSync(at, 'buffer').map(textFrom) : names
}

/**
 * Calls back for each child of a folder in no order; all names are read in one call, which takes a fraction of the
 * time.
 */
export function eachChildSync(folder: string, visit: (name: string, is: Child['is']) => void): void {
  const at = nativePath(folder)
  const children = readdirSync(at, { withFileTypes: true })
  if (children.some(({ name }) => name.includes(REPLACEMENT)))
    for (const is of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) visit(textFrom(is.name), is)
  else for (const is of children) visit(is.name, is)
}

/** A name in a folder, with its type. */
interface Child {
  name: string
  is: Dirent | Dirent<Buffer>
}

/**
 * The children of a folder, read in batches: there may be very many. Links are not followed. Where the file system does
 * not report types, each child is stat'ed.
 */
export function* childrenSync(folder: string): Generator<Child> {
  const at = nativePath(folder)
  const open = opendirSync(at, { bufferSize: AT_ONCE })
  let isComplete = true
  try {
    for (let is = open.readSync(); is; is = open.readSync()) {
      if (is.name.includes(REPLACEMENT)) isComplete = false
      else yield { name: is.name, is }
    }
  } finally {
    open.closeSync()
  }
  if (isComplete) return
  for (const is of readdirSync(at, { withFileTypes: true, encoding: 'buffer' }))
    if (is.name.includes(REPLACEMENT) || !isUtf8(is.name)) yield { name: textFrom(is.name), is }
}
