import { lstat, readdir } from 'node:fs/promises'
import { type FilePath, segmentsOf } from '../../../shared/path.ts'
import { otherSpellings } from '../../../shared/spelling.ts'
import { nativePath, textFrom } from './native-path.ts'
import { isSameObject } from './stat-fields.ts'

/**
 * Some file systems open a file under several names: other letter case, other Unicode normalization, or short names.
 * The system then reports the requested name, and rules would be matched against that instead of the listed name.
 */

/** Names in the 8.3 form that file systems generate. */
export const SHORT = /~\d/

/**
 * A path below a root, spelled as its folders list it.
 * @param root a real path
 */
export async function spelledAsListed(root: string, path: FilePath): Promise<FilePath> {
  const names = segmentsOf(path)
  const above = (depth: number) => [root === '/' ? '' : root, ...names.slice(0, depth)].join('/') || '/'
  const listed = await Promise.all(names.map((name, depth) => listedName(above(depth), name)))
  return listed.every((name, depth) => name === names[depth]) ? path : (`/${listed.join('/')}` as FilePath)
}

/** The listed spelling of a name that the folder opens under another; unchanged where it does not exist. */
export async function listedName(folder: string, name: string): Promise<string> {
  const own = SHORT.test(name) ? await statOf(folder, name) : undefined
  if (own) return nameInList(folder, name, own)
  for (const other of otherSpellings(name)) {
    const alike = await statOf(folder, other)
    const there = alike && (await statOf(folder, name))
    if (there && isSameObject(alike, there)) return nameInList(folder, name, there)
  }
  return name
}

const statOf = (folder: string, name: string) =>
  lstat(nativePath(`${folder}/${name}`), { bigint: true }).catch(() => undefined)

type Stat = NonNullable<Awaited<ReturnType<typeof statOf>>>

async function nameInList(folder: string, name: string, own: Stat): Promise<string> {
  const names = (await readdir(nativePath(folder), 'buffer')).map(textFrom)
  if (names.includes(name)) return name
  for (const other of [...names.filter(one => folded(one) === folded(name)), ...names]) {
    const there = await statOf(folder, other)
    if (there && isSameObject(own, there)) return other
  }
  return name
}

const folded = (name: string) => name.normalize('NFC').toUpperCase().toLowerCase()
