import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder on the visitor's own computer. */
export async function localFolder(name: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), `filigree-local-${name}-`))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** A folder with subfolders, one of them empty, and names in many scripts. */
export async function makeTree(folder: string): Promise<void> {
  const files: Record<string, number> = {
    'read me.txt': 20,
    'empty.bin': 0,
    'deep/er/and/deeper/file.bin': 300_000,
    'Ünï çødé/日本語 😀.txt': 1000,
    '100% #1?/a+b&c.txt': 10,
    ...Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`many/${index}.bin`, 1000 + index])),
  }
  for (const [name, size] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), randomBytes(size))
  }
}
