import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'

/** A folder's whole content: every path below it (as latin1, so that any name fits) with its metadata. */
export type Manifest = Record<string, string>

/**
 * Records path, type, mode, size, checksum and link target of everything in a folder; follows no link. Files deleted
 * during the scan are left out.
 */
export async function snapshot(folder: string): Promise<Manifest> {
  const manifest: Manifest = {}
  await walk(Buffer.from(folder), '', manifest)
  return Object.fromEntries(Object.entries(manifest).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function walk(folder: Buffer, below: string, manifest: Manifest): Promise<void> {
  for (const name of await readdir(folder, { encoding: 'buffer' })) {
    const path = Buffer.concat([folder, Buffer.from('/'), name])
    const label = `${below}${name.toString('latin1')}`
    try {
      const stat = await lstat(path)
      const mode = (stat.mode & 0o7777).toString(8)
      manifest[label] = `${await factsOf(path, stat)} ${mode}`
      if (stat.isDirectory()) await walk(path, `${label}/`, manifest)
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
      delete manifest[label]
    }
  }
}

async function factsOf(path: Buffer, stat: Stats): Promise<string> {
  if (stat.isDirectory()) return 'folder'
  if (stat.isSymbolicLink()) return `link to ${(await readlink(path, { encoding: 'buffer' })).toString('latin1')}`
  if (!stat.isFile()) return 'special'
  return `file ${stat.size} ${createHash('sha256')
    .update(await readFile(path))
    .digest('hex')}`
}
