import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestPlace } from '../conformance/place.ts'
import { type LocalOptions, openLocal } from '../local.ts'
import type { Confinement } from './handle.ts'
import { nativePath, textFrom } from './native-path.ts'

export const TEST_KEY = Buffer.from('a key for tests only')

/** A place on this host's disk; `folder` is the folder that holds `inside` and `outside`. */
export type DiskPlace = TestPlace & { folder: string }

export async function diskPlace(
  confinement: Confinement,
  parent: string = tmpdir(),
  { followsOut = false, kernel = 'auto' }: Pick<LocalOptions, 'followsOut' | 'kernel'> = {},
): Promise<DiskPlace> {
  const folder = await mkdtemp(join(parent, 'storage-'))
  await mkdir(join(folder, 'inside'))
  await mkdir(join(folder, 'outside'))
  const on = (path: string) => nativePath(join(folder, path))
  return {
    folder,
    store: await openLocal({ root: join(folder, 'inside'), stagingKey: TEST_KEY, confinement, followsOut, kernel }),
    async plantFile(path, content) {
      if (!existsSync(on(dirname(path)))) await mkdir(on(dirname(path)), { recursive: true })
      await writeFile(on(path), content)
    },
    plantLink: (path, target) => symlink(nativePath(target), on(path)),
    names: async path => (await readdir(on(path), 'buffer')).map(textFrom).sort(),
    content: path => readFile(on(path), 'utf8').catch(() => undefined),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
