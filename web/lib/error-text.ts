import { ApiError } from './api.ts'
import { ChunkError } from './chunk.ts'
import { t } from './i18n/index.ts'

/** Codes of the server that say more than their status (contract 1.3). */
const CODE_KEYS = {
  bad_request: 'errors.refused',
  bad_path: 'uploads.reason.badName',
  name_too_long: 'files.nameLong',
  body_too_large: 'uploads.reason.tooLarge',
  outside_scope: 'files.reasonOutside',
  exists: 'files.reasonTaken',
  is_a_folder: 'files.reasonTaken',
  not_a_folder: 'files.reasonTaken',
  precondition_failed: 'errors.changed',
  wrong_media_type: 'errors.refused',
  undecodable: 'errors.refused',
  no_space: 'files.noSpace',
  read_only: 'files.reasonReadOnly',
  hook_refused: 'errors.hookRefused',
  unavailable: 'errors.unavailable',
  unsupported: 'errors.unsupported',
} as const

const isKnown = (code: string): code is keyof typeof CODE_KEYS => Object.hasOwn(CODE_KEYS, code)

/** The sentence for a status (specification section 8). */
export function statusText(status: number): string {
  if (status === 0) return t('errors.offline')
  if (status === 403) return t('errors.forbidden')
  if (status === 404) return t('errors.notFound')
  return t('errors.internal')
}

/** The sentence for anything thrown. What the server says in English is never shown. */
export function errorText(error: unknown): string {
  if (error instanceof ChunkError) return t('errors.chunk')
  if (!(error instanceof ApiError)) return statusText(500)
  return isKnown(error.code) ? t(CODE_KEYS[error.code]) : statusText(error.status)
}
