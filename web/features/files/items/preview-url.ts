import type { PreviewSize } from '../../../../shared/api/previews.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiUrl } from '../../../lib/api.ts'

type Pictured = Pick<ResourceItem, 'path' | 'modified'>

/** API call for a thumbnail (http-api 6). The date is part of the URL, so that a changed image is fetched again. */
export function previewCall(size: PreviewSize, { path, modified }: Pictured): string {
  return `/api/preview/${size}${encodePath(path)}?inline=true&key=${Date.parse(modified)}`
}

/** Its URL; the cookie authenticates the browser. */
export const previewUrl = (size: PreviewSize, item: Pictured): string => apiUrl(previewCall(size, item))

/** API call for the sizes of the images in a folder (http-api 6). @param files their names, each percent-encoded */
export const picturesCall = (folder: string, files: string): string =>
  `/api/picture-sizes${encodePath(folder)}?${new URLSearchParams({ files })}`
