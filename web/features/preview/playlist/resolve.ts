import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { parentOf, parsePath } from '../../../../shared/path.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { folderQuery, isFolder } from '../../files/api/list.ts'
import { decodeText } from '../../files/items/text-encoding.ts'
import { type DocumentProps, fetchDocument } from '../document/bytes.ts'
import { type PlaylistEntry, parseM3u, pathsOf } from './m3u.ts'

/** Folders that are listed for one playlist; files in further ones count as missing. */
const MAX_FOLDERS = 50

/** An entry with the file that it means, if that is there. */
export interface ListedTrack extends PlaylistEntry {
  /** Its number in the playlist, from 0. */
  at: number
  file: ResourceItem | undefined
}

/** The entries of a playlist, as a query. */
export const playlistQuery = ({ resource }: DocumentProps) =>
  queryOptions({
    queryKey: ['playlist', resource.path, resource.modified],
    queryFn: async ({ signal }) => {
      const bytes = await fetchDocument({ resource }, signal)
      return withFiles(parseM3u(decodeText(bytes).text), parentOf(parsePath(resource.path)))
    },
  })

async function withFiles(entries: readonly PlaylistEntry[], folder: string): Promise<ListedTrack[]> {
  const wanted = entries.map(({ place }) => pathsOf(place, folder === '/' ? '' : folder))
  const folders = [...new Set(wanted.flat().map(path => parentOf(parsePath(path))))].slice(0, MAX_FOLDERS)
  const listed = await Promise.all(folders.map(filesIn))
  const files = new Map(listed.flat().map(file => [file.path, file]))
  return entries.map((entry, at) => ({
    ...entry,
    at,
    file: wanted[at]?.map(path => files.get(path)).find(file => file?.type === 'audio'),
  }))
}

/** The files of a folder; none if it is not there, or not for this user. */
async function filesIn(folder: string): Promise<readonly ResourceItem[]> {
  const resource = await queryClient.fetchQuery(folderQuery(folder)).catch(() => undefined)
  return resource && isFolder(resource) ? resource.items.filter(({ isDir }) => !isDir) : []
}
