import { buffer } from 'node:stream/consumers'
import type { FileResource, FolderResource } from '../../../shared/api/resources.ts'
import type { User } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import { presentFolder, presentItem } from '../../content/present.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { kindByContent, kindByName, SNIFF_BYTES } from '../../files/kind.ts'
import { findSubtitles } from '../../files/subtitles.ts'
import type { Entry, OpenFile } from '../../files/types.ts'

/** A folder with its children in the user's order (contract 3.1, 3.6). */
export async function readFolder(files: Files, path: FilePath, user: User): Promise<FolderResource> {
  const { folder, items } = await files.list(path)
  return presentFolder(folder, items, user.sorting)
}

/**
 * A file with its type and, for text, its content. Bytes are only looked at when the user may read them (contract
 * 3.1); otherwise the name alone decides the type. Text is `textImmutable` for a user who may not modify.
 */
export async function readFile(files: Files, entry: Entry): Promise<FileResource> {
  if (entry.kind === 'special') throw new AppError('special_file')
  if (!files.may('read')) return presentFile(files, entry, kindByName(entry.name, entry.size))
  const file = await files.open(entry.path)
  try {
    return await readOpened(files, file)
  } finally {
    await file.close()
  }
}

async function readOpened(files: Files, file: OpenFile): Promise<FileResource> {
  const { entry } = file
  const head = entry.size === 0 ? Buffer.alloc(0) : await readHead(file)
  const type = kindByContent(entry.name, entry.size, head)
  const resource = presentFile(files, entry, type)
  if (type === 'video') {
    const subtitles = await findSubtitles(files, entry)
    return subtitles.length > 0 ? { ...resource, subtitles } : resource
  }
  if (type !== 'text' || entry.size === 0) return resource
  return { ...resource, content: (await buffer(file.stream())).toString('utf8') }
}

const readHead = (file: OpenFile) => buffer(file.stream({ start: 0, end: Math.min(SNIFF_BYTES, file.entry.size) - 1 }))

function presentFile(files: Files, entry: Entry, type: ReturnType<typeof kindByName>): FileResource {
  return presentItem(entry, type === 'text' && !files.may('replace') ? 'textImmutable' : type)
}
