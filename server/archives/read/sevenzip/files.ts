import { corrupt } from '../../source.ts'
import type { MemberFacts } from '../members.ts'
import { Cursor } from './cursor.ts'
import { ID } from './property-ids.ts'

/** The properties of one file. */
export interface SevenFile extends Pick<MemberFacts, 'name' | 'kind' | 'modified' | 'mode'> {
  /** Whether it has a part of a block. */
  filled: boolean
}

/** Windows attributes, with the Unix mode in the upper half. */
const ATTRIBUTE = { folder: 0x10, unix: 0x8000 } as const
/** File types in a mode. */
const MODE = { kind: 0o170000, folder: 0o040000, file: 0o100000, link: 0o120000, permissions: 0o7777 } as const
/** Milliseconds between the Windows epoch (1601) and the Unix epoch. */
const EPOCH = 11_644_473_600_000

/** The properties of all files. */
interface Properties {
  empty: readonly boolean[]
  /** For empty files only. */
  emptyFile: readonly boolean[]
  anti: readonly boolean[]
  names: readonly string[]
  modified: readonly (number | undefined)[]
  attributes: readonly (number | undefined)[]
}

/** Reads the list of files. @throws undecodable, unsupported */
export function readFiles(cursor: Cursor): SevenFile[] {
  const count = cursor.count()
  const properties = readProperties(cursor, count)
  let empties = 0
  return properties.names.map((name, at) => {
    const filled = !properties.empty[at]
    const isEmptyFile = !filled && (properties.emptyFile[empties] ?? false)
    const isAnti = !filled && (properties.anti[empties] ?? false)
    if (!filled) empties += 1
    const attributes = properties.attributes[at]
    const mode = attributes !== undefined && attributes & ATTRIBUTE.unix ? attributes >>> 16 : undefined
    const kind = isAnti ? 'special' : kindOf(filled || isEmptyFile, attributes ?? 0, mode)
    const permissions = mode === undefined ? undefined : mode & MODE.permissions
    return { name, kind, modified: properties.modified[at], mode: permissions, filled }
  })
}

function kindOf(isFile: boolean, attributes: number, mode: number | undefined): MemberFacts['kind'] {
  const type = (mode ?? 0) & MODE.kind
  if (type === MODE.link) return 'link'
  if (!isFile || attributes & ATTRIBUTE.folder) return 'folder'
  return type === 0 || type === MODE.file ? 'file' : 'special'
}

function readProperties(cursor: Cursor, count: number): Properties {
  const none: readonly never[] = []
  const all = { empty: none, emptyFile: none, anti: none, names: none, modified: none, attributes: none } as Properties
  for (let id = cursor.byte(); id !== ID.end; id = cursor.byte()) {
    const content = new Cursor(cursor.take(cursor.number()))
    const empties = all.empty.filter(Boolean).length
    if (id === ID.empty) all.empty = content.bits(count)
    else if (id === ID.emptyFile) all.emptyFile = content.bits(empties)
    else if (id === ID.anti) all.anti = content.bits(empties)
    else if (id === ID.names) all.names = readNames(content, count)
    else if (id === ID.modified) all.modified = readEach(content, count, timeOf)
    else if (id === ID.attributes) all.attributes = readEach(content, count, each => each.take(4).readUInt32LE(0))
  }
  if (all.names.length !== count) throw corrupt()
  return all
}

function readEach(content: Cursor, count: number, read: (content: Cursor) => number): (number | undefined)[] {
  const defined = content.definedOf(count)
  if (content.byte() !== 0) throw corrupt()
  return defined.map(is => (is ? read(content) : undefined))
}

/** In units of 100 ns. */
function timeOf(content: Cursor): number {
  const bytes = content.take(8)
  return Math.round((bytes.readUInt32LE(4) * 2 ** 32 + bytes.readUInt32LE(0)) / 10_000) - EPOCH
}

/** In UTF-16, each terminated by a zero. */
function readNames(content: Cursor, count: number): string[] {
  if (content.byte() !== 0) throw corrupt()
  const bytes = content.take(content.left)
  const names: string[] = []
  let start = 0
  for (let at = 0; at + 1 < bytes.length && names.length < count; at += 2) {
    if (bytes.readUInt16LE(at) !== 0) continue
    names.push(bytes.toString('utf16le', start, at).toWellFormed())
    start = at + 2
  }
  return names
}
