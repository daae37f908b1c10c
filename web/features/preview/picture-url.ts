import type { ResourceItem } from '../../../shared/api/resources.ts'
import { apiUrl } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { rawPath } from '../../lib/resource.ts'
import { previewUrl } from '../files/preview-url.ts'

/** Address of a picture for the whole window: made smaller where the server does that (contract 6), else the file. */
export function pictureUrl(item: Pick<ResourceItem, 'path' | 'modified'>): string {
  if (pageConfig.ResizePreview) return previewUrl('big', item)
  return `${apiUrl(rawPath(item.path, true))}&key=${Date.parse(item.modified)}`
}
