import type { PreviewSize } from '../../../../shared/api/previews.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiUrl } from '../../../lib/api.ts'

type Pictured = Pick<ResourceItem, 'path' | 'modified'>

/**
 * Call that answers a picture made smaller (http-api 6). The date is part of it, so that a changed picture is asked for
 * again.
 */
export function previewCall(size: PreviewSize, { path, modified }: Pictured): string {
  return `/api/preview/${size}${encodePath(path)}?inline=true&key=${Date.parse(modified)}`
}

/** Its address; the browser is let in by the cookie. */
export const previewUrl = (size: PreviewSize, item: Pictured): string => apiUrl(previewCall(size, item))
