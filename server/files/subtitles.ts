import { extensionOf, type FilePath, parentOf } from '../../shared/path.ts'
import { sortItems } from '../../shared/sorting.ts'
import type { Files } from './files.ts'
import type { Entry } from './types.ts'

const SUBTITLE = /\.(?:vtt|srt|ass|ssa)$/i
const SUBTITLE_FOLDER = /^(?:subs|subtitles)$/i

/**
 * The subtitles of a video (http-api 7): files next to it that begin with its name; in a folder `subs` or `subtitles`
 * next to it all files, and those in folders that begin with its name. Folders that cannot be listed have none.
 */
export async function findSubtitles(files: Files, video: Pick<Entry, 'name' | 'path'>): Promise<FilePath[]> {
  const stem = video.name.slice(0, video.name.length - extensionOf(video.name).length)
  const found: FilePath[] = []
  for (const entry of await inOrder(files, parentOf(video.path))) {
    if (isSubtitle(entry) && entry.name.startsWith(stem)) found.push(entry.path)
    else if (entry.kind === 'folder' && SUBTITLE_FOLDER.test(entry.name)) {
      found.push(...(await subtitlesIn(files, entry.path, stem)))
    }
  }
  return found
}

async function subtitlesIn(files: Files, folder: FilePath, stem: string): Promise<FilePath[]> {
  const found: FilePath[] = []
  for (const entry of await inOrder(files, folder)) {
    if (isSubtitle(entry)) found.push(entry.path)
    else if (entry.kind === 'folder' && entry.name.startsWith(stem)) {
      found.push(...(await inOrder(files, entry.path)).filter(isSubtitle).map(({ path }) => path))
    }
  }
  return found
}

const isSubtitle = (entry: Entry) => entry.kind === 'file' && SUBTITLE.test(entry.name)

async function inOrder(files: Files, folder: FilePath): Promise<Entry[]> {
  const listing = await files.list(folder).catch(() => undefined)
  const items = (listing?.items ?? []).map(entry => ({ ...entry, isDir: false, entry }))
  return sortItems(items, { by: 'name', asc: false }).map(({ entry }) => entry)
}
