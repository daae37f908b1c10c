import type { BigIntStats } from 'node:fs'
import type { Entry } from '../driver.ts'

/** What a stat says of a thing, apart from its names. */
export type Facts = Pick<Entry, 'kind' | 'size' | 'modified' | 'mode' | 'version' | 'identity'>

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
  return {
    kind: kindOf(stat),
    size: Number(stat.size),
    modified: Number(stat.mtimeNs) / 1e6,
    mode: Number(stat.mode) & 0o7777,
    version: versionOf(stat),
    identity: identityOf(stat),
  }
}

/** Starts with the identity, so that listings need not carry both. The same at every machine that has the folder. */
export function versionOf(stat: BigIntStats): string {
  const rest = [stat.size, stat.mtimeNs, stat.ctimeNs].map(part => part.toString(36))
  return [identityOf(stat), ...rest].join('-')
}

/**
 * Inode and birth time, where that is known. Not the device: of a folder that several machines share each has a number of
 * its own, which changes when it is mounted again.
 */
function identityOf({ ino, birthtimeNs }: BigIntStats): string {
  return `${ino.toString(36)}.b${birthtimeNs.toString(36)}`
}

/** The identity in a version that `versionOf` made. */
export function identityIn(version: string): string {
  return version.slice(0, version.indexOf('-'))
}

/** Whether two stats are of the same object, whatever its name. */
export function isSameObject(one: Pick<BigIntStats, 'dev' | 'ino'>, other: Pick<BigIntStats, 'dev' | 'ino'>): boolean {
  return one.ino === other.ino && one.dev === other.dev
}
