import type { BigIntStats } from 'node:fs'
import type { Entry } from '../driver.ts'

/** What a stat says of a thing, apart from its names and from what tells it from others. */
export type PlainFacts = Pick<Entry, 'kind' | 'size' | 'modified' | 'mode'>

/** All that a stat says of a thing. */
export type Facts = PlainFacts & Pick<Entry, 'version' | 'identity'>

/** What a version is made of. */
export type Marks = Pick<BigIntStats, 'ino' | 'birthtimeNs' | 'size' | 'mtimeNs' | 'ctimeNs'>

export function kindOf(stat: BigIntStats): Entry['kind'] {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'folder'
  return stat.isSymbolicLink() ? 'link' : 'special'
}

/**
 * The only way from a stat to an entry, for single things and for listings alike, so that both give the same version.
 * Nanoseconds and full inode numbers matter: a replaced file of equal size differs from the old one in nothing else.
 */
export function factsOf(stat: BigIntStats): Facts {
  return { ...plainFactsOf(stat), version: versionOf(stat), identity: identityOf(stat) }
}

export function plainFactsOf(stat: BigIntStats): PlainFacts {
  return {
    kind: kindOf(stat),
    size: Number(stat.size),
    modified: Number(stat.mtimeNs) / 1e6,
    mode: Number(stat.mode) & 0o7777,
  }
}

/** Starts with the identity. The same at every machine that has the folder. */
export function versionOf(stat: Marks): string {
  const rest = [stat.size, stat.mtimeNs, stat.ctimeNs].map(part => part.toString(36))
  return [identityOf(stat), ...rest].join('-')
}

/**
 * Inode and birth time, where that is known. Not the device: of a folder that several machines share each has a number of
 * its own, which changes when it is mounted again.
 */
export function identityOf({ ino, birthtimeNs }: Pick<Marks, 'ino' | 'birthtimeNs'>): string {
  return `${ino.toString(36)}.b${birthtimeNs.toString(36)}`
}

/** Whether two stats are of the same object, whatever its name. */
export function isSameObject(one: Pick<BigIntStats, 'dev' | 'ino'>, other: Pick<BigIntStats, 'dev' | 'ino'>): boolean {
  return one.ino === other.ino && one.dev === other.dev
}
