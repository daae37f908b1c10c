import { Readable } from 'node:stream'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../files.ts'
import type { ByteRange, Entry } from '../types.ts'
import type { Format } from './formats.ts'
import { type Member, membersOf } from './members.ts'
import { planZip } from './plan.ts'
import { within } from './range.ts'
import { select } from './selection.ts'
import { tar } from './tar.ts'
import { toldPieces } from './told.ts'
import { takeCostlyTurn } from './turns.ts'
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
   * The bytes, or some of them where they are known beforehand, made as they are read; to be called once.
   * @throws AppError `unavailable` when too many are being made
   */
  stream(range?: ByteRange): Readable
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
  const told = (members: AsyncIterable<Member>) => (onRead ? toldOf(members, onRead) : members)
  const { type, pack, extension } = format
  const name = selection.title + extension
  if (pack) {
    const stream = () => takingTurns(format, () => pack(gathered(tar(told(membersOf(files, selection, { signal }))))))
    return { name, type, stream }
  }
  const plan = await planZip(files, selection, signal)
  const members = () => told(plan?.members() ?? membersOf(files, selection, { signal }))
  const stream = (range?: ByteRange) => {
    const bytes = range ? within(zip(members()), range) : zip(members())
    return Readable.from(gathered(bytes), { objectMode: false, highWaterMark: PIECE })
  }
  return { name, type, stream, ...(plan ? { known: plan } : {}) }
}

async function* toldOf(members: AsyncIterable<Member>, tell: (bytes: number) => void): AsyncGenerator<Member> {
  for await (const member of members) yield { ...member, content: () => toldPieces(member.content(), tell) }
}

function takingTurns({ costly }: Format, make: () => Readable): Readable {
  if (!costly) return make()
  const giveBack = takeCostlyTurn()
  return make().once('close', giveBack)
}

const PIECE = 256 * 1024

/** Joins small pieces, such as headers and small files, so that they do not travel one by one. */
async function* gathered(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let small: Uint8Array[] = []
  let length = 0
  for await (const piece of source) {
    small.push(piece)
    length += piece.length
    if (length < PIECE / 4) continue
    yield small.length === 1 ? piece : Buffer.concat(small)
    small = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(small)
}
