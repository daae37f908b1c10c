import type { ResourceItem } from '../../../shared/api/resources.ts'
import { apiUrl } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { rawPath } from '../files/api/resource.ts'
import { previewCall } from '../files/items/preview-url.ts'

type Picture = Pick<ResourceItem, 'path' | 'modified'>

/** API call for an image in window size: scaled by the server where it supports that (http-api 6), else the file. */
export function imageCall(item: Picture): string {
  if (pageConfig.ResizePreview) return previewCall('big', item)
  return `${rawPath(item.path, true)}&key=${Date.parse(item.modified)}`
}

/** Its URL. */
export const imageUrl = (item: Picture): string => apiUrl(imageCall(item))
