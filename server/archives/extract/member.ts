import { Readable } from 'node:stream'
import type { ConflictChoice } from '../../../shared/conflicts.ts'
import type { FilePath } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import { looksSame } from '../../files/compare-content.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'
import { changedContent } from './changed.ts'

/** A file on its way out of an archive. */
export interface Arrival {
  goal: FilePath
  size: number
  /** Milliseconds since the epoch. */
  modified: number
  /** POSIX permission bits, where they are told. */
  mode: number | undefined
  content: AsyncIterable<Uint8Array>
}

export interface ArrivalOptions {
  choice: ConflictChoice | undefined
  /** An earlier attempt may have brought it already. */
  again: boolean
  signal: AbortSignal
  /** Told which name is going to be taken beside what stands there; durable when it settles. */
  chosen(path: FilePath): Promise<void>
}

/** Executable or not is kept, and who else may read; nobody else may write, and the owner may always read and write. */
const modeOf = (mode: number) => (mode & 0o755) | 0o600

/**
 * Puts a file where it belongs, all or nothing, as was chosen for what stands there.
 * @returns whether it is there now; not when it was skipped
 * @throws exists, and what `Files.write` and the content throw
 */
export async function putFile(files: Files, arrival: Arrival, options: ArrivalOptions): Promise<boolean> {
  const { goal } = arrival
  const { choice } = options
  const standing = await standingAt(files, goal)
  if (!standing) return write(files, arrival, false, options)
  if (options.again && arrived(standing, arrival)) return true
  if (choice === undefined) throw new AppError('exists')
  if (choice === 'skip') return false
  if (choice === 'keepBoth') return writeBeside(files, arrival, options)
  if (choice === 'replaceOlder' && arrival.modified <= standing.modified) return false
  if (choice === 'skipIdentical' && standing.kind === 'file') return writeChanged(files, arrival, options)
  return write(files, arrival, true, options)
}

/** What stands at a path. @throws as `Files.info`, but not not_found */
export async function standingAt(files: Files, path: FilePath): Promise<Entry | undefined> {
  try {
    return await files.info(path)
  } catch (thrown) {
    if (asAppError(thrown).code === 'not_found') return undefined
    throw thrown
  }
}

/** Whether what stands there looks as if an earlier attempt had put it there. */
export const arrived = (standing: Entry | undefined, arrival: Pick<Arrival, 'size' | 'modified'>): boolean =>
  standing?.kind === 'file' && looksSame(standing, arrival)

const writeBeside = (files: Files, arrival: Arrival, options: ArrivalOptions): Promise<boolean> =>
  files.beside(arrival.goal, async goal => {
    await options.chosen(goal)
    return write(files, { ...arrival, goal }, false, options)
  })

async function writeChanged(files: Files, arrival: Arrival, options: ArrivalOptions): Promise<boolean> {
  const file = await files.open(arrival.goal)
  try {
    const content = await changedContent(arrival.content, file)
    return content ? await write(files, { ...arrival, content }, true, options) : false
  } finally {
    await file.close()
  }
}

async function write(files: Files, arrival: Arrival, override: boolean, { signal }: ArrivalOptions): Promise<boolean> {
  const { goal, size: length, modified, mode, content } = arrival
  let failure: { thrown: unknown } | undefined
  const told = async function* () {
    try {
      yield* content
    } catch (thrown) {
      failure = { thrown }
      throw thrown
    }
  }
  const body = Readable.from(told(), { objectMode: false })
  try {
    const request = { override, length, modified, signal, ...(mode === undefined ? {} : { mode: modeOf(mode) }) }
    await files.write(goal, body, request)
    return true
  } catch (thrown) {
    // What is wrong with the archive says more than that its content broke off.
    throw failure ? failure.thrown : thrown
  } finally {
    body.destroy()
  }
}
