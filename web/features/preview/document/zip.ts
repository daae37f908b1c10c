import { unzipSync } from 'fflate'
import { UnreadableError } from './unreadable.ts'

/** Limit of unpacked data of a document, in bytes. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024
const MAX_ENTRIES = 20_000

/** Records of a zip archive (APPNOTE 4.3.16, 4.3.12), and their sizes without the variable part. */
const END = { signature: 0x06054b50, size: 22 }
const ENTRY = { signature: 0x02014b50, size: 46 }
const LONGEST_COMMENT = 0xffff
const ENCRYPTED = 1

/** Signature of an encrypted Microsoft Office document, a zip archive in another container (MS-CFB 2.2). */
const CONTAINER = [0xd0, 0xcf, 0x11, 0xe0]

/** Files of a document by name. */
export type Parts = Readonly<Record<string, Uint8Array<ArrayBufferLike>>>

/**
 * Unpacks the wanted parts of a document that is a zip archive.
 * @throws UnreadableError also when they exceed the memory limit
 */
export function unpack(bytes: Uint8Array, wanted: (name: string) => boolean = () => true): Parts {
  if (CONTAINER.every((byte, index) => bytes[index] === byte)) throw new UnreadableError('encrypted')
  let total = 0
  for (const { name, size, encrypted } of entriesOf(bytes)) {
    if (encrypted) throw new UnreadableError('encrypted')
    if (wanted(name)) total += size
    if (total > MAX_UNPACKED_BYTES) throw new UnreadableError('tooLarge')
  }
  try {
    // At most the size in the directory: each part is unpacked into a buffer of that size.
    return unzipSync(bytes, { filter: ({ name }) => wanted(name) })
  } catch (error) {
    throw new UnreadableError('damaged', error)
  }
}

/** A text part, such as XML; `undefined` when there is none of that name. */
export function textOf(parts: Parts, name: string): string | undefined {
  const bytes = parts[name]
  return bytes && new TextDecoder(bytes[0] === 0xff || bytes[1] === 0 ? 'utf-16le' : 'utf-8').decode(bytes)
}

interface Entry {
  name: string
  /** Unpacked size in bytes. */
  size: number
  encrypted: boolean
}

/** The directory of an archive. @throws UnreadableError */
function entriesOf(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  const count = view.getUint16(end + 10, true)
  if (count > MAX_ENTRIES) throw new UnreadableError('tooLarge')
  const entries: Entry[] = []
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY.size > end || view.getUint32(at, true) !== ENTRY.signature) throw new UnreadableError('damaged')
    const nameLength = view.getUint16(at + 28, true)
    const name = bytes.subarray(at + ENTRY.size, at + ENTRY.size + nameLength)
    entries.push({
      name: new TextDecoder().decode(name),
      size: view.getUint32(at + 24, true),
      encrypted: (view.getUint16(at + 8, true) & ENCRYPTED) !== 0,
    })
    at += ENTRY.size + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - END.size - LONGEST_COMMENT)
  for (let at = view.byteLength - END.size; at >= first; at -= 1) {
    if (view.getUint32(at, true) === END.signature) return at
  }
  throw new UnreadableError('damaged')
}
