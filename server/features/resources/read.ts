import { buffer } from 'node:stream/consumers'
import type { FileResource } from '../../../shared/api/resources.ts'
import { DIGESTS, digestOfFile } from '../../checksums/checksum.ts'
import { AppError } from '../../errors.ts'
import { kindByName } from '../../file-types/file-type.ts'
import type { Files } from '../../files/files.ts'
import { findSubtitles } from '../../files/subtitles.ts'
import type { Entry, OpenFile } from '../../files/types.ts'
import { type ContentFacts, typeOf } from '../../responses/entry-types.ts'
import { presentItem } from '../../responses/serializers.ts'

/**
 * A file with its type and, for text, its content. Content is only read when the user may read it (http-api 3.1);
 * otherwise the name alone decides the type. Text is `textImmutable` for a user who may not modify.
 */
export async function readFile(files: Files, entry: Entry, facts: ContentFacts): Promise<FileResource> {
  if (entry.kind === 'special') throw new AppError('special_file')
  if (!files.may('read', entry.path)) return presentFile(files, entry, kindByName(entry.name, entry.size))
  const file = await files.open(entry.path)
  try {
    return await readOpened(files, file, facts)
  } finally {
    await file.close()
  }
}

/**
 * A file with one checksum and without its content (http-api 3.1). A checksum reveals content, so it needs the right to
 * read it.
 * @param signal aborts it when the client disconnects
 * @throws forbidden, bad_request for an unknown algorithm
 */
export async function readChecksum(
  files: Files,
  entry: Entry,
  algorithm: string,
  signal: AbortSignal,
): Promise<FileResource> {
  files.demandRead(entry.path)
  const digest = DIGESTS.find(name => name === algorithm)
  if (!digest) throw new AppError('bad_request')
  const file = await files.open(entry.path)
  try {
    const resource = presentFile(files, file.entry, await typeOf(file))
    const isRecorded = digest === 'sha256'
    const checksum = await (isRecorded ? files.checksums.ofOpen(file, signal) : digestOfFile(file, digest, signal))
    return { ...resource, checksums: { [digest]: checksum } }
  } finally {
    await file.close()
  }
}

/**
 * Opens a file of type `text`, for clients that want its bytes instead of JSON (http-api 3.1).
 * @returns undefined for any other type; the caller closes the file
 * @throws forbidden without the right to read
 */
export async function openText(files: Files, entry: Entry): Promise<OpenFile | undefined> {
  const file = await files.open(entry.path)
  let kept = false
  try {
    kept = (await typeOf(file)) === 'text' && files.may('replace', entry.path)
    return kept ? file : undefined
  } finally {
    if (!kept) await file.close()
  }
}

async function readOpened(files: Files, file: OpenFile, facts: ContentFacts): Promise<FileResource> {
  const { entry } = file
  const type = await typeOf(file)
  const resource = { ...presentFile(files, entry, type), ...(await facts.resolutionOf(file, type)) }
  if (type === 'video') {
    const subtitles = await findSubtitles(files, entry)
    return subtitles.length > 0 ? { ...resource, subtitles } : resource
  }
  if (type !== 'text' || entry.size === 0) return resource
  return { ...resource, content: (await buffer(file.stream())).toString('utf8') }
}

function presentFile(files: Files, entry: Entry, type: ReturnType<typeof kindByName>): FileResource {
  const item = presentItem(entry, type === 'text' && !files.may('replace', entry.path) ? 'textImmutable' : type)
  return { ...item, isDir: false }
}
