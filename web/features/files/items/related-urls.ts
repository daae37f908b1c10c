import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { filesUrl } from '../../../lib/router.tsx'
import { rawPath } from '../api/resource.ts'

/** Resolves the relative references of a file: subtitles of a video, images and links of a text. */
export interface RelatedUrls {
  /** In-app URL; `undefined` when the reference cannot be resolved. */
  page(path: FilePath, isFolder: boolean): string | undefined
  /** API call for the bytes, without the base URL. */
  content(path: FilePath): string | undefined
  /** API call for subtitles converted to WebVTT (http-api 7). */
  subtitles(path: string): string
}

/** Among the user's files. */
export const OWN_FILES: RelatedUrls = {
  page: filesUrl,
  content: path => rawPath(path, true),
  subtitles: path => `/api/subtitle${encodePath(path)}`,
}
