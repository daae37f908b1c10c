import { Readable } from 'node:stream'
import type { RecursiveItem } from '../../../shared/api/resources.ts'
import { type FilePath, ROOT, trustedChild } from '../../../shared/path.ts'
import { rfc3339 } from '../../content/present.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'

/** The word that asks for a recursive listing, and may be the name of a real thing. */
export const RECURSIVE = trustedChild(ROOT, 'recursive')

/** Characters collected before they are sent. */
const PIECE = 64 * 1024

/** Whether the word is the name of something in the user's root, which then wins (contract 3.7). */
export async function isRealName(files: Files): Promise<boolean> {
  return files.info(RECURSIVE).then(
    () => true,
    () => false,
  )
}

/**
 * Everything below a folder as one flat JSON array, sent while it is walked: depth first, names in byte order (contract
 * 3.7). What cannot be read is left out.
 * @throws not_found, bad_request for anything but a folder
 */
export async function listRecursively(files: Files, folder: FilePath, signal: AbortSignal): Promise<Readable> {
  const entry = await files.info(folder)
  if (entry.kind !== 'folder') throw new AppError('bad_request', 'path is not a directory')
  const items = await files.walk(folder, { signal })
  return Readable.from(jsonOf(items), { objectMode: false })
}

async function* jsonOf(items: AsyncIterable<{ entry?: Entry }>): AsyncGenerator<string> {
  let text = '['
  let separator = ''
  for await (const { entry } of items) {
    if (!entry) continue
    text += separator + JSON.stringify(itemOf(entry))
    separator = ','
    if (text.length < PIECE) continue
    yield text
    text = ''
  }
  yield `${text}]`
}

function itemOf({ path, name, size, modified, kind }: Entry): RecursiveItem {
  return { path, name, size, modified: rfc3339(modified), isDir: kind === 'folder' }
}
