import type { FilePath } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { KeptAt } from '../../kept.ts'
import { errnoOf } from '../errno.ts'
import { below, type Handle, hold } from '../handle.ts'
import type { Item, Scope } from '../resolve-path.ts'
import { identityOf } from '../stat-fields.ts'
import { areaName } from '../temp-names.ts'
import { makeArea } from './area.ts'
import { firstHome, holding, isSafe, type OpenArea } from './area-folders.ts'
import { homesOf } from './homes.ts'

/** A folder of former contents in an area, held open. */
export interface VersionFolder extends Pick<KeptAt, 'home' | 'area'> {
  files: Handle
  /** `versions` itself. */
  all: Handle
  close(): void
}

/** The name of the folder in `versions` that holds a former content. */
export const folderOf = (id: string): string => id.slice(-2)

/**
 * The folder for a former content of a file, in the area for it; made if it is missing.
 * @returns `undefined` where nothing can be kept @throws no_space where it does not fit
 */
export async function versionFolderFor(scope: Scope, item: Item, id: string): Promise<VersionFolder | undefined> {
  const { homes, isRemembered } = await homesOf(scope, item)
  return firstHome(homes, home => versionFolderIn(scope, home, id, isRemembered ? item.folder : undefined))
}

/**
 * The folder for a former content in the area of a folder; made if it is missing.
 * @param near a held folder on the same disk, where the area was used a moment ago
 */
export function versionFolderIn(
  scope: Scope,
  home: FilePath,
  id: string,
  near?: Handle,
): Promise<VersionFolder | undefined> {
  return holding(
    scope,
    home,
    async ({ parent, folder, again, made, close }) => {
      const name = areaName(scope.stagingKey)
      const top = await again(parent, name).catch(async thrown => {
        if (errnoOf(thrown) !== 'ENOENT') throw thrown
        await makeArea(parent, name, folder)
        return folder(parent, name)
      })
      const all = await again(top, 'versions').catch(() => made(top, 'versions'))
      return { home, area: identityOf(top.stat), files: await made(all, folderOf(id)), all, close }
    },
    near,
  )
}

/** The folder of an area that holds a kept item; the owner closes it. @throws not_found */
export async function holdFilesOf(scope: Scope, area: OpenArea, { name, kind }: Pick<KeptAt, 'name' | 'kind'>) {
  if (kind !== 'version') return area.files
  let folder = area.top
  for (const step of ['versions', folderOf(name)]) {
    const above = folder
    try {
      folder = await hold(scope.level, below(above, step), true)
      if (await isSafe(scope, above, folder)) continue
      folder.close()
      throw new AppError('not_found')
    } finally {
      if (above !== area.top) above.close()
    }
  }
  return folder
}
