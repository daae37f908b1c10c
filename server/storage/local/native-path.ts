import { isUtf8 } from 'node:buffer'
import { type Dirent, opendirSync, readdirSync, readlinkSync } from 'node:fs'
import { bytesOf, textOf } from '../../../shared/bytes.ts'

/** A path as system calls take it: bytes where it is not UTF-8, because Node would replace those in a string. */
export type NativePath = string | Buffer

/** What Node puts in the place of bytes that are not UTF-8; a file may also really be called so. */
const REPLACEMENT = '\uFFFD'

export function nativePath(path: string): NativePath {
  return path.isWellFormed() ? path : Buffer.from(bytesOf(path))
}

/** The text of a name or path that the system told, as `shared/bytes.ts` carries it. */
export function textFrom(bytes: Buffer): string {
  const text = bytes.toString()
  return text.includes(REPLACEMENT) ? textOf(bytes) : text
}

/** What a link holds. Reading bytes costs more, here as below, and few names need it. */
export function readLinkSync(link: string): string {
  const target = readlinkSync(link)
  return target.includes(REPLACEMENT) ? textFrom(readlinkSync(link, 'buffer')) : target
}

/** Children that are read at a time. */
const AT_ONCE = 256

/** Names in a folder. */
export function readNamesSync(folder: string): string[] {
  const at = nativePath(folder)
  const names = readdirSync(at)
  return names.some(name => name.includes(REPLACEMENT)) ? readdirSync(at, 'buffer').map(textFrom) : names
}

/** Tells each child of a folder in no order; all names are read at once, which takes a fraction of the time. */
export function eachChildSync(folder: string, tell: (name: string, is: Child['is']) => void): void {
  const at = nativePath(folder)
  const children = readdirSync(at, { withFileTypes: true })
  if (children.some(({ name }) => name.includes(REPLACEMENT)))
    for (const is of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) tell(textFrom(is.name), is)
  else for (const is of children) tell(is.name, is)
}

/** A name in a folder, with what stands there. */
interface Child {
  name: string
  is: Dirent | Dirent<Buffer>
}

/**
 * The children of a folder, some read at a time: there may be very many. Links are not followed. A system that does not tell
 * what stands there is asked about each.
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
