import { type BigIntStats, constants } from 'node:fs'
import type { Entry } from '../driver.ts'
import type { Statx } from './kernel/statx.ts'

/** The fields of a stat, apart from names, version and identity. */
export type PlainFacts = Pick<Entry, 'kind' | 'size' | 'modified' | 'mode'>

/** All fields of a stat. */
export type Facts = PlainFacts & Pick<Entry, 'version' | 'identity'>

/** The stat fields that make up a version. */
export type Marks = Pick<BigIntStats, 'ino' | 'birthtimeNs' | 'size' | 'mtimeNs' | 'ctimeNs'>

export function kindOf(stat: BigIntStats): Entry['kind'] {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'folder'
  return stat.isSymbolicLink() ? 'link' : 'special'
}

/**
 * The only conversion from a stat to an entry, for single files and for listings alike, so that both give the same
 * version. Nanoseconds and full inode numbers matter: a replaced file of equal size may differ in nothing else.
 */
export function factsOf(stat: BigIntStats): Facts {
  return { ...plainFactsOf(stat), version: versionOf(stat), identity: identityOf(stat) }
}

export function plainFactsOf(stat: BigIntStats): PlainFacts {
  return plainFacts(kindOf(stat), stat, Number(stat.mode))
}

/** The same from fields that were read without the runtime. */
export function plainFactsIn(fields: Statx): PlainFacts {
  return plainFacts(kindIn(fields), fields, fields.mode)
}

export const kindIn = ({ mode }: Statx): Entry['kind'] => KINDS.get(mode & constants.S_IFMT) ?? 'special'

const KINDS: ReadonlyMap<number, Entry['kind']> = new Map([
  [constants.S_IFREG, 'file'],
  [constants.S_IFDIR, 'folder'],
  [constants.S_IFLNK, 'link'],
])

const plainFacts = (kind: Entry['kind'], { size, mtimeNs }: Pick<Marks, 'size' | 'mtimeNs'>, mode: number) => ({
  kind,
  size: Number(size),
  modified: millisecondsOf(Number(mtimeNs)),
  mode: mode & MODE,
})

/** The bits of a mode besides the type. */
export const MODE = 0o7777

/** Of a time in nanoseconds. */
export const millisecondsOf = (nanoseconds: number): number => nanoseconds / 1e6

/** Starts with the identity. The same on every host that mounts the folder. */
export function versionOf(stat: Marks): string {
  const rest = [stat.size, stat.mtimeNs, stat.ctimeNs].map(part => part.toString(36))
  return [identityOf(stat), ...rest].join('-')
}

/**
 * Inode and birth time, where available. Not the device: on a shared file system each host has its own device number,
 * which changes on remounting.
 */
export function identityOf({ ino, birthtimeNs }: Pick<Marks, 'ino' | 'birthtimeNs'>): string {
  return `${ino.toString(36)}.b${birthtimeNs.toString(36)}`
}

/** Whether two identities can be of one object: a system may learn only later to read when it was made. */
export function mayBeSame(one: string, other: string): boolean {
  const [[inode, born], [otherInode, otherBorn]] = [one.split('.b'), other.split('.b')]
  return inode === otherInode && (born === otherBorn || born === '0' || otherBorn === '0')
}

/** Whether two stats are of the same object, whatever its name. */
export function isSameObject(one: Pick<BigIntStats, 'dev' | 'ino'>, other: Pick<BigIntStats, 'dev' | 'ino'>): boolean {
  return one.ino === other.ino && one.dev === other.dev
}

/** A time in seconds, for system calls. Node takes a negative number as the current time, but not a negative date. */
export const timeOf = (modified: number): number | Date => (modified < 0 ? new Date(modified) : modified / 1000)
