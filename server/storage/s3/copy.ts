import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Entry, WriteOptions } from '../driver.ts'
import { ask } from '../guard.ts'
import { refuseAborted } from '../write-file.ts'
import { copiedMeta, newMeta } from './object-metadata.ts'
import { copyObject } from './objects.ts'
import { demandGoal, publishing } from './publish.ts'
import type { Scope } from './scope.ts'
import { type Standing, standingAt } from './stat.ts'

/** Copies a file within the store; see the driver contract. */
export async function copyFile(scope: Scope, from: FilePath, to: FilePath, how: WriteOptions): Promise<Entry> {
  refuseAborted(how.signal)
  const { key, head, facts } = await demandFile(scope, from)
  const goal = await demandGoal(scope, to, how)
  const meta = copiedMeta(head, newMeta(how.modified ?? facts.modified))
  return publishing(scope, goal, { meta, size: head.size, how }, condition =>
    copyObject(scope.client, { key, head }, goal.key, meta, condition),
  )
}

async function demandFile(scope: Scope, path: FilePath): Promise<Standing & { kind: 'file' }> {
  ask(scope.guard, path)
  const standing = await standingAt(scope, path)
  if (standing?.kind === 'file') return standing
  throw new AppError(standing ? 'is_a_folder' : 'not_found')
}
