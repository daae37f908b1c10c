import type { Readable } from 'node:stream'
import type { FilePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import type { ByteRange, Entry } from '../files/types.ts'
import { Semaphore } from '../lib/limit.ts'
import { LIMITS } from '../limits.ts'
import { joined } from './buffer-reader.ts'
import { planZip } from './content-length.ts'
import { contentOf, type Member, membersOf } from './entries.ts'
import { type Format, plain } from './formats.ts'
import { toldPieces } from './progress.ts'
import { within } from './range.ts'
import { select } from './selection.ts'
import { tar } from './tar.ts'
import { zip } from './zip.ts'

/** An archive that is about to be sent. */
export interface Archive {
  /** File name with its extension. */
  name: string
  /** Media type. */
  type: string
  /** Bytes, and what tells these from others, where they are known beforehand. */
  known?: { length: number; version: string }
  /**
   * The bytes, or some of them where they are known beforehand, made as they are asked for; to be called once. A piece is
   * good until the next one is asked for.
   * @throws AppError `unavailable` when too many are being made
   */
  pieces(range?: ByteRange): AsyncIterable<Uint8Array>
  /** To be called when nobody reads pieces any more. Idempotent. */
  close(): Promise<void>
}

export interface ArchiveOptions {
  /** A single folder keeps its name in the archive, instead of what it holds being at the top. */
  named?: boolean
  /** Told how many bytes of the files have been read since it was told last. */
  onRead?: (bytes: number) => void
  signal?: AbortSignal
}

/**
 * An archive of a folder, or of some things in it, of what the user may see and read. What cannot be read is listed in a
 * file inside; an error once a file's bytes are under way ends the stream with that error.
 * @param names paths relative to the folder; none for all it holds
 * @throws forbidden without the download permission, not_found or forbidden when nothing of what is named can be had
 */
export async function makeArchive(
  files: Files,
  folder: Entry,
  names: readonly FilePath[],
  format: Format,
  { named = false, onRead, signal }: ArchiveOptions = {},
): Promise<Archive> {
  if (!files.may('read')) throw new AppError('forbidden')
  const selection = await select(files, folder, names, named)
  const told = (members: AsyncIterable<Member[]>) => (onRead ? toldOf(members, onRead) : members)
  const { type, form, compress, extension } = format
  const name = selection.title + extension
  if (form === 'tar') {
    const bytes = () => tar(told(membersOf(files, selection, { signal })))
    const pieces = () => (compress ? limited(format, () => compress(joined(bytes()))) : bytes())
    return { name, type, pieces, close: async () => {} }
  }
  const plan = await planZip(files, selection, signal)
  const members = () => told(plan?.members() ?? membersOf(files, selection, { signal }))
  const pieces = (range?: ByteRange) => (range ? within(zip(members()), range) : zip(members()))
  return { name, type, pieces, close: async () => plan?.close(), ...(plan ? { known: plan } : {}) }
}

/** The bytes of an archive as a stream, which whoever reads it may keep. Throws what `pieces` throws. */
export const streamOf = (archive: Archive): Readable => plain(joined(archive.pieces()))

async function* toldOf(groups: AsyncIterable<Member[]>, tell: (bytes: number) => void): AsyncGenerator<Member[]> {
  for await (const members of groups)
    yield members.map(member => ({ ...member, content: () => toldPieces(contentOf(member), tell) }))
}

/** Archives in slow formats that a process makes at a time. */
const slowArchives = new Semaphore(LIMITS.slowArchives)

function limited({ costly }: Format, make: () => Readable): Readable {
  if (!costly) return make()
  const release = slowArchives.tryAcquire()
  if (!release) throw new AppError('unavailable', 'too many such archives are being made')
  return make().once('close', release)
}
