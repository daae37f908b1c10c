import type { User } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { FilesService } from '../../files/service.ts'

/** Milliseconds between two messages about a folder; what happens between them is one change. */
const TELL_EVERY = 500

/**
 * Tells of changes in a folder that somebody looks at: the first at once, those that follow together.
 * @returns ends it
 * @throws not_found, not_a_folder, forbidden
 */
export async function tellFolder(
  files: FilesService,
  user: User,
  folder: FilePath,
  tell: () => void,
): Promise<() => void> {
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
  const unwatch = await own.watch(folder, changed)
  return () => {
    clearTimeout(timer)
    unwatch()
  }
}
