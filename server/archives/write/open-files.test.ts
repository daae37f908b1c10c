import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { createFiles } from '../../files/files-service.ts'
import { openLocal } from '../../storage/local.ts'
import { makeArchive } from './archive.ts'
import { formatOf } from './formats.ts'

test('a zip contains the announced content of a file that is replaced by a shorter or a longer one', async () => {
  const root = await mkdtemp(join(tmpdir(), 'held-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  const service = createFiles({ storage, cluster: openLocalCluster(), globalRules: async () => [] })
  const files = await service.for({ scope: '/', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false })
  const zip = formatOf('zip') ?? expect.fail()
  await writeFile(join(root, 'a.txt'), 'announced')
  // The thread that lists must have started: planning is limited to a second.
  await files.list(ROOT)
  for (const content of ['short', 'longer than before']) {
    const archive = await makeArchive(files, await files.info(ROOT), [], zip)
    await writeFile(join(root, 'new'), content)
    await rename(join(root, 'new'), join(root, 'a.txt'))
    const bytes = Buffer.concat(await Array.fromAsync(archive.chunks(), chunk => Buffer.from(chunk)))
    await archive.close()
    expect(bytes).toHaveLength(archive.known?.length ?? 0)
    expect(bytes.includes('announced') && !bytes.includes('longer')).toBe(true)
    await writeFile(join(root, 'a.txt'), 'announced')
  }
})
