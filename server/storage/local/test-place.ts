import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestPlace } from '../conformance/place.ts'
import { type LocalOptions, openLocal } from '../local.ts'
import type { Confinement } from './handle.ts'
import { nativePath, textFrom } from './native-path.ts'

export const TEST_KEY = Buffer.from('a key for tests only')

/** A place on this host's disk; `ground` is the folder that holds `inside` and `outside`. */
export type DiskPlace = TestPlace & { ground: string }

export async function diskPlace(
  confinement: Confinement,
  parent: string = tmpdir(),
  { followsOut = false }: Pick<LocalOptions, 'followsOut'> = {},
): Promise<DiskPlace> {
  const ground = await mkdtemp(join(parent, 'storage-'))
  await mkdir(join(ground, 'inside'))
  await mkdir(join(ground, 'outside'))
  const on = (path: string) => nativePath(join(ground, path))
  return {
    ground,
    store: await openLocal({ root: join(ground, 'inside'), stagingKey: TEST_KEY, confinement, followsOut }),
    async plantFile(path, content) {
      if (!existsSync(on(dirname(path)))) await mkdir(on(dirname(path)), { recursive: true })
      await writeFile(on(path), content)
    },
    plantLink: (path, target) => symlink(nativePath(target), on(path)),
    names: async path => (await readdir(on(path), 'buffer')).map(textFrom).sort(),
    content: path => readFile(on(path), 'utf8').catch(() => undefined),
    close: () => rm(ground, { recursive: true, force: true }),
  }
}
