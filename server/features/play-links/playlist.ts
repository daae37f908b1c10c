import { shownName } from '../../../shared/bytes.ts'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { kindOfEntry } from '../../responses/serializers.ts'

/** Whether a player plays an entry, by its name. */
const isPlayed = (entry: Pick<Entry, 'name' | 'kind' | 'size'>): boolean =>
  ['audio', 'video'].includes(kindOfEntry(entry))

/** @throws AppError `wrong_media_type` for any other file */
export function demandPlayed(entry: Entry): void {
  if (!isPlayed(entry)) throw new AppError('wrong_media_type', 'not a video or audio file')
}

/**
 * The files that a playlist of an entry has: the video and audio files of a folder in the order of their names, at most
 * `LIMITS.playlistFiles`, or the file itself. @throws AppError as `Files.list`; `wrong_media_type` for any other file
 */
export async function filesToPlay(own: Files, entry: Entry): Promise<Entry[]> {
  if (entry.kind !== 'folder') {
    demandPlayed(entry)
    return [entry]
  }
  const { items } = await own.list(entry.path)
  return items
    .filter(isPlayed)
    .sort((a, b) => NAMES.compare(a.name, b.name))
    .slice(0, LIMITS.playlistFiles)
}

/** By the numbers in names, as listings are. */
const NAMES = new Intl.Collator('en', { numeric: true })

/** A playlist in the extended M3U format, in UTF-8. @param addressOf gives the address of a file in it */
export async function playlistOf(
  files: readonly Entry[],
  addressOf: (path: FilePath) => Promise<string>,
): Promise<string> {
  const entries = await Promise.all(
    files.map(async ({ name, path }) => `#EXTINF:-1,${inLine(name)}\n${await addressOf(path)}\n`),
  )
  return `#EXTM3U\n${entries.join('')}`
}

/** A name may contain whatever ends a line, which would begin an entry of its own. */
const inLine = (name: string): string => shownName(name).replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
