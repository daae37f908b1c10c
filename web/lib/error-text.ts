import { ApiError } from './api.ts'
import { t } from './i18n/index.ts'
import { ChunkError } from './lazy.ts'

/** The sentence for a status (specification section 8). */
export function statusText(status: number): string {
  if (status === 0) return t('errors.offline')
  if (status === 403) return t('errors.forbidden')
  if (status === 404) return t('errors.notFound')
  return t('errors.internal')
}

/** The sentence for anything thrown. */
export function errorText(error: unknown): string {
  if (error instanceof ChunkError) return t('errors.chunk')
  return statusText(error instanceof ApiError ? error.status : 500)
}
