import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { rawPath } from '../../../lib/resource.ts'
import { filesUrl } from '../../../lib/router.tsx'

/** Where that lies which a file names beside it: films their subtitles, texts their pictures and links. */
export interface Beside {
  /** Address inside the application; `undefined` where it is not to be had. */
  page(path: FilePath, isFolder: boolean): string | undefined
  /** Call that answers the bytes, without the base URL. */
  content(path: FilePath): string | undefined
  /** Call that answers subtitles as browsers want them (http-api 7). */
  subtitles(path: string): string
}

/** Among the own files. */
export const OWN: Beside = {
  page: filesUrl,
  content: path => rawPath(path, true),
  subtitles: path => `/api/subtitle${encodePath(path)}`,
}
