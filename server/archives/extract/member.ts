import { Readable } from 'node:stream'
import type { ConflictChoice } from '../../../shared/conflicts.ts'
import type { FilePath } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import { looksSame } from '../../files/compare-content.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'
import { changedContent } from './changed.ts'

/** A file being extracted. */
export interface IncomingFile {
  goal: FilePath
  size: number
  /** Milliseconds since the epoch. */
  modified: number
  /** POSIX permission bits, if known. */
  mode: number | undefined
  content: AsyncIterable<Uint8Array>
}

export interface IncomingFileOptions {
  choice: ConflictChoice | undefined
  /** Whether an earlier attempt may have written it. */
  again: boolean
  signal: AbortSignal
  /** Receives the new name of a renamed file; durable when it resolves. */
  chosen(path: FilePath): Promise<void>
  /** Receives what became of the content that the file replaced; see `Written.kept`. */
  kept(kept: string): void
}

/**
 * Keeps the executable bits and read permissions of others; only the owner may write, and may always read and write.
 */
const modeOf = (mode: number) => (mode & 0o755) | 0o600

/**
 * Writes a file, all or nothing, resolving conflicts as chosen.
 * @returns whether it exists now; false when it was skipped
 * @throws exists, and what `Files.write` and the content throw
 */
export async function putFile(files: Files, arrival: IncomingFile, options: IncomingFileOptions): Promise<boolean> {
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

/** The entry at a path. @throws as `Files.info`, but not not_found */
export async function standingAt(files: Files, path: FilePath): Promise<Entry | undefined> {
  try {
    return await files.info(path)
  } catch (thrown) {
    if (asAppError(thrown).code === 'not_found') return undefined
    throw thrown
  }
}

/** Whether an existing file looks as if an earlier attempt had written it. */
export const arrived = (standing: Entry | undefined, arrival: Pick<IncomingFile, 'size' | 'modified'>): boolean =>
  standing?.kind === 'file' && looksSame(standing, arrival)

const writeBeside = (files: Files, arrival: IncomingFile, options: IncomingFileOptions): Promise<boolean> =>
  files.transfers.withFreeName(arrival.goal, async goal => {
    await options.chosen(goal)
    return write(files, { ...arrival, goal }, false, options)
  })

async function writeChanged(files: Files, arrival: IncomingFile, options: IncomingFileOptions): Promise<boolean> {
  const file = await files.open(arrival.goal)
  try {
    const content = await changedContent(arrival.content, file)
    return content ? await write(files, { ...arrival, content }, true, options) : false
  } finally {
    await file.close()
  }
}

async function write(
  files: Files,
  arrival: IncomingFile,
  override: boolean,
  { signal, kept: noteKept }: IncomingFileOptions,
): Promise<boolean> {
  const { goal, size: length, modified, mode, content } = arrival
  let failure: { thrown: unknown } | undefined
  const tracked = async function* () {
    try {
      yield* content
    } catch (thrown) {
      failure = { thrown }
      throw thrown
    }
  }
  const body = Readable.from(tracked(), { objectMode: false })
  try {
    const request = {
      override,
      length,
      modified,
      signal,
      reason: 'extract' as const,
      ...(mode === undefined ? {} : { mode: modeOf(mode) }),
    }
    const { kept } = await files.write(goal, body, request)
    if (kept !== undefined) noteKept(kept)
    return true
  } catch (thrown) {
    // The archive's error is more precise than that its content broke off.
    throw failure ? failure.thrown : thrown
  } finally {
    body.destroy()
  }
}
