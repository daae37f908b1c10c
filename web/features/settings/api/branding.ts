import type { BrandingAnswer, BrandingImageName } from '../../../../shared/api/branding.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = ['branding'] as const

/** `GET /api/branding` (http-api 12.1), as a query: the uploaded images. */
export const brandingQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => apiJson<BrandingAnswer>('/api/branding', { signal }),
})

/** Uploads an image in place of the one before. @throws ApiError 400 for no image, 413 for a large one */
export async function uploadImage(name: BrandingImageName, file: File): Promise<void> {
  await api(`/api/branding/${name}`, { method: 'PUT', body: file })
  await queryClient.invalidateQueries({ queryKey: KEY })
}

/** @throws ApiError 404 where another client removed it first */
export async function removeImage(name: BrandingImageName): Promise<void> {
  try {
    await api(`/api/branding/${name}`, { method: 'DELETE' })
  } finally {
    await queryClient.invalidateQueries({ queryKey: KEY })
  }
}
