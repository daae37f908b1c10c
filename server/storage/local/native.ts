import { type Dirent, readdirSync, readlinkSync } from 'node:fs'
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

/** Names in a folder. */
export function readNamesSync(folder: string): string[] {
  const at = nativePath(folder)
  const names = readdirSync(at)
  return names.some(name => name.includes(REPLACEMENT)) ? readdirSync(at, 'buffer').map(textFrom) : names
}

/** Names in a folder, with what stands there; links are not followed. A system that does not tell is asked about each. */
export function readChildrenSync(folder: string): { name: string; is: Dirent | Dirent<Buffer> }[] {
  const at = nativePath(folder)
  const children = readdirSync(at, { withFileTypes: true })
  if (!children.some(({ name }) => name.includes(REPLACEMENT))) return children.map(is => ({ name: is.name, is }))
  return readdirSync(at, { withFileTypes: true, encoding: 'buffer' }).map(is => ({ name: textFrom(is.name), is }))
}
