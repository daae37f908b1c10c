import type { Readable } from 'node:stream'
import type { FilePath } from '../../../shared/path.ts'
import { holdErrors, receive, refuseAborted } from '../body.ts'
import type { Entry, WriteOptions } from '../driver.ts'
import { ObjectWriter } from './multipart-writer.ts'
import { newMeta } from './object-metadata.ts'
import { demandGoal, publishing } from './publish.ts'
import type { Scope } from './scope.ts'

/** Writes a whole file, all or nothing; see the driver contract. */
export async function writeFile(scope: Scope, path: FilePath, body: Readable, how: WriteOptions): Promise<Entry> {
  holdErrors(body)
  refuseAborted(how.signal)
  const goal = await demandGoal(scope, path, how)
  const meta = newMeta(how.modified)
  const arriving = new ObjectWriter(scope, goal.key, meta)
  try {
    await receive(body, how, piece => arriving.add(piece))
    refuseAborted(how.signal)
    return await publishing(scope, goal, { meta, size: arriving.size, how }, condition => arriving.finish(condition))
  } catch (thrown) {
    await arriving.abort()
    throw thrown
  }
}
