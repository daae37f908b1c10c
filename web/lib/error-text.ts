import { ApiError } from './api.ts'
import { ChunkError } from './chunk.ts'
import { type MessageKey, t } from './i18n/index.ts'

/** Server codes with a message of their own (http-api 1.3). */
const CODE_KEYS = {
  bad_request: 'errors.refused',
  method_not_allowed: 'errors.refused',
  bad_path: 'uploads.reason.badName',
  name_too_long: 'files.nameLong',
  confirm_first: 'errors.confirmFirst',
  body_too_large: 'uploads.reason.tooLarge',
  outside_scope: 'files.reasonOutside',
  no_home: 'errors.noHome',
  locked: 'errors.locked',
  exists: 'files.reasonTaken',
  is_a_folder: 'files.reasonTaken',
  not_a_folder: 'files.reasonTaken',
  precondition_failed: 'errors.changed',
  wrong_media_type: 'errors.refused',
  undecodable: 'errors.damaged',
  encrypted: 'errors.encrypted',
  no_space: 'files.noSpace',
  quota_exceeded: 'errors.quota',
  no_trash: 'errors.noTrash',
  too_far: 'errors.noTrash',
  gone: 'errors.notFound',
  changed_since: 'errors.changed',
  read_only: 'files.reasonReadOnly',
  server_refused: 'errors.serverRefused',
  hook_refused: 'errors.hookRefused',
  no_sandbox: 'errors.unsupported',
  unavailable: 'errors.unavailable',
  unsupported: 'errors.unsupported',
} as const

const isKnown = (code: string): code is keyof typeof CODE_KEYS => Object.hasOwn(CODE_KEYS, code)

/** The message for a status, also when a proxy sent it. */
const STATUS_KEYS = new Map<number, MessageKey>([
  [0, 'errors.offline'],
  [403, 'errors.forbidden'],
  [404, 'errors.notFound'],
  [413, 'uploads.reason.tooLarge'],
  [429, 'errors.unavailable'],
  [502, 'errors.unavailable'],
  [503, 'errors.unavailable'],
  [504, 'errors.unavailable'],
  [507, 'files.noSpace'],
])

/** The message for a server code, if it has one. */
export function codeText(code: string): string | undefined {
  if (code === 'forbidden') return statusText(403)
  if (code === 'not_found') return statusText(404)
  return isKnown(code) ? t(CODE_KEYS[code]) : undefined
}

/** The message for a status. */
export function statusText(status: number): string {
  return t(STATUS_KEYS.get(status) ?? 'errors.internal')
}

/**
 * The details below the message: the status, and the request id in the server's log. `undefined` without a response.
 */
export function errorDetail(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.status === 0) return undefined
  return [error.status, error.reference].filter(Boolean).join(' · ')
}

/** The message for anything thrown. The server's English text is never shown. */
export function errorText(error: unknown): string {
  if (error instanceof ChunkError) return t('errors.chunk')
  if (!(error instanceof ApiError)) return statusText(500)
  return codeText(error.code) ?? statusText(error.status)
}
