import { link, lstat, unlink } from 'node:fs/promises'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { translating } from './errno.ts'
import { syncFolder } from './folders.ts'
import { below } from './handle.ts'
import { renameOver } from './rename.ts'
import { locateItem, type Scope } from './resolve-path.ts'
import { identityOf } from './stat-fields.ts'

/** See `Disk.linkOver`. */
export async function linkOver(
  scope: Scope,
  path: FilePath,
  { to, identity, ifMatch }: { to: FilePath; identity: string; ifMatch: string },
): Promise<void> {
  const item = await locateItem(scope, path)
  const source = await locateItem(scope, to).catch(thrown => {
    item.folder.close()
    throw thrown
  })
  const name = await scope.unfinished.begin(scope.stagingKey, item.folder.real)
  const temporary = below(item.folder, name)
  try {
    await translating(() => link(below(source.folder, source.name), temporary))
    const linked = await translating(() => lstat(temporary, { bigint: true }))
    if (identityOf(linked) !== identity) throw new AppError('changed_since')
    await renameOver(temporary, below(item.folder, item.name), ifMatch)
    await syncFolder(item.folder)
  } finally {
    await unlink(temporary).catch(() => {})
    scope.unfinished.end(name)
    item.folder.close()
    source.folder.close()
  }
}
