import type { PreviewSize } from '../../../shared/api/previews.ts'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { encodePath } from '../../../shared/path.ts'
import { apiUrl } from '../../lib/api.ts'

/**
 * Address of a picture made smaller (contract 6); the browser is let in by the cookie. The date is part of it, so that a
 * changed picture is asked for again.
 */
export function previewUrl(size: PreviewSize, { path, modified }: Pick<ResourceItem, 'path' | 'modified'>): string {
  return apiUrl(`/api/preview/${size}${encodePath(path)}?inline=true&key=${Date.parse(modified)}`)
}
