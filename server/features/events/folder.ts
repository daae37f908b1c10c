import type { User } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { WatchedFolder } from '../../files/files.ts'
import type { FilesService } from '../../files/service.ts'
import { rfc3339 } from '../../responses/serializers.ts'

/** A folder that somebody looks at. */
export interface SeenFolder {
  path: FilePath
  /** Its time as it was listed, on the wire; a change since then is told at once. */
  seen: string | undefined
}

/** Milliseconds between two messages about a folder; what happens between them is one change. */
const TELL_EVERY = 500

/**
 * Tells of changes in a folder that somebody looks at: the first at once, those that follow together.
 * @throws not_found, not_a_folder, forbidden
 */
export async function tellFolder(
  files: FilesService,
  user: User,
  { path, seen }: SeenFolder,
  tell: () => void,
): Promise<WatchedFolder> {
  let timer: NodeJS.Timeout | undefined
  let again = false
  const changed = () => {
    if (timer) {
      again = true
      return
    }
    tell()
    timer = setTimeout(() => {
      timer = undefined
      const more = again
      again = false
      if (more) changed()
    }, TELL_EVERY)
  }
  const own = await files.for(user)
  const watched = await own.watch(path, changed)
  const end = () => {
    clearTimeout(timer)
    watched.end()
  }
  try {
    if (seen !== undefined && rfc3339((await own.info(path)).modified) !== seen) changed()
  } catch (thrown) {
    end()
    throw thrown
  }
  return { ...watched, end }
}
