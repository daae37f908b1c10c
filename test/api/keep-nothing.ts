import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instance } from './harness.ts'

/**
 * Lets the contents of a corner have no place where they are kept: the hidden folder at the top is one that others may write
 * to, and in the corner a file has its name. Something was kept on this server before.
 * @returns lets other corners keep contents again
 */
export async function keepNothing(
  { root }: Pick<Instance, 'root'>,
  { disk }: { disk: string },
): Promise<() => Promise<void>> {
  const area = (await readdir(root)).find(name => name.startsWith('.filigree-'))
  if (area === undefined) throw new Error('nothing was kept on this server yet')
  const top = join(root, area)
  await chmod(top, 0o777)
  await writeFile(join(disk, area), '')
  return () => chmod(top, 0o700)
}
