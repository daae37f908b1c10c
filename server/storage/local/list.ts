import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Entry } from '../driver.ts'
import { toEntries } from './columns.ts'
import { translated } from './errno.ts'
import { readFolder } from './folder-reader.ts'
import { isOurs, locateFolder, type Scope } from './scope.ts'
import { isStagingName } from './staging.ts'

/** The children of a folder; see the driver contract. */
export async function* listFolder(scope: Scope, path: FilePath): AsyncGenerator<Entry[]> {
  if (isOurs(scope, path)) throw new AppError('not_found')
  const { handle, canonical } = await locateFolder(scope, path)
  try {
    const { root, level, followsOut } = scope
    for await (const columns of readFolder({ at: handle.at, root, level, followsOut })) {
      const entries = toEntries(columns, path, canonical).filter(entry => mayBeSeen(scope, entry))
      if (entries.length > 0) yield entries
    }
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    handle.close()
  }
}

/** What `stat` would refuse or not find is left out. */
function mayBeSeen({ guard, stagingKey }: Scope, { canonical, name }: Entry): boolean {
  if (guard && !guard(canonical)) return false
  return !isStagingName(stagingKey, name)
}
