import { COVER_PICTURES, FolderCover } from '../../../shared/api/covers.ts'
import type { FilePath } from '../../../shared/path.ts'
import { previewedAs } from '../../../shared/previewed.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Entry } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { callerOf, type Route, target } from '../../routing/route.ts'

/** The pictures that stand for a folder in views of pictures (http-api 6). */
export function folderCoverRoute({ files }: { files: FilesService }): Route {
  return {
    method: 'GET',
    path: '/api/covers/*',
    access: 'user',
    token: 'read',
    describes: {
      summary: 'Get the pictures that stand for a folder',
      answers: {
        200: { text: 'The newest pictures in it, or its cover alone; none without pictures.', schema: FolderCover },
      },
      refuses: [403, 404, 409],
    },
    async handler(request): Promise<FolderCover> {
      const own = await files.for(callerOf(request).user)
      const { path } = target(request)
      own.demandRead(path)
      const pictures = await coverOf(own, path)
      return { items: pictures.map(({ name, modified }) => ({ name, modified: rfc3339(modified) })) }
    },
  }
}

/** A file that is the cover of its folder whatever else is there. */
const COVER = /^(?:cover|folder)\.[^.]+$/i

/** Of a large folder only the first entries that the disk lists are looked at. */
async function coverOf(files: Files, folder: FilePath): Promise<Entry[]> {
  let newest: Entry[] = []
  let left = LIMITS.coverEntries
  for await (const batch of files.each(folder)) {
    const pictures = batch.slice(0, left).filter(isPicture)
    const cover = pictures.find(({ name }) => COVER.test(name))
    if (cover) return [cover]
    newest = [...newest, ...pictures].toSorted((a, b) => b.modified - a.modified).slice(0, COVER_PICTURES)
    left -= batch.length
    if (left <= 0) break
  }
  return newest
}

/** Kinds of previews that are of a picture. */
const PICTURES: ReadonlySet<string | undefined> = new Set(['image', 'bmp', 'heic', 'camera'])

const isPicture = ({ kind, name }: Entry): boolean => kind === 'file' && PICTURES.has(previewedAs(name))
