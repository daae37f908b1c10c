import type { User } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { WatchedFolder } from '../../files/changes.ts'
import type { FilesService } from '../../files/files-service.ts'
import { rfc3339 } from '../../responses/serializers.ts'

/** A folder that a client displays. */
export interface SeenFolder {
  path: FilePath
  /** Its modification time in the listing, as in the API; a later change is announced at once. */
  seen: string | undefined
}

/** Milliseconds between two events about a folder; the changes between them are one event. */
const ANNOUNCE_EVERY = 500

/**
 * Announces changes in a displayed folder: the first at once, the following ones together.
 * @throws not_found, not_a_folder, forbidden
 */
export async function announceFolder(
  files: FilesService,
  user: User,
  { path, seen }: SeenFolder,
  announce: () => void,
): Promise<WatchedFolder> {
  let timer: NodeJS.Timeout | undefined
  let again = false
  const changed = () => {
    if (timer) {
      again = true
      return
    }
    announce()
    timer = setTimeout(() => {
      timer = undefined
      const more = again
      again = false
      if (more) changed()
    }, ANNOUNCE_EVERY)
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
