import type { ConflictsAnswer, FoundConflict } from '../../shared/api/conflicts.ts'
import { MAX_LISTED_CONFLICTS } from '../../shared/conflicts.ts'
import { asAppError } from '../errors.ts'
import type { Collision } from '../files/conflicts.ts'
import { isMerge } from '../files/transfer.ts'
import { rfc3339 } from './serializers.ts'

/** The collisions of each item: all folders and the first files. Items whose search is refused have none. */
export async function answerConflicts(
  items: readonly AsyncIterable<Collision>[],
  signal: AbortSignal,
): Promise<ConflictsAnswer> {
  const conflicts: FoundConflict[] = []
  let files = 0
  for (const [item, collisions] of items.entries()) {
    try {
      for await (const collision of collisions) {
        const merges = isMerge(collision.ours, collision.theirs)
        if (!merges) files += 1
        if (merges || files <= MAX_LISTED_CONFLICTS) conflicts.push(reported(item, collision))
      }
    } catch (thrown) {
      if (asAppError(thrown).code === 'internal' || signal.aborted) throw thrown
    }
  }
  return { conflicts, more: Math.max(0, files - MAX_LISTED_CONFLICTS) }
}

const reported = (item: number, { to, ours, theirs }: Collision): FoundConflict => ({
  item,
  to,
  ours: versionOf(ours),
  theirs: versionOf(theirs),
})

const versionOf = ({ kind, isLink, size, modified }: Collision['ours']) => ({
  isDir: kind === 'folder',
  isSymlink: isLink,
  size,
  modified: rfc3339(modified),
})
