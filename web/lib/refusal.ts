import { ApiError } from './api.ts'
import { t } from './i18n/index.ts'

/** A validation error of a form. */
export interface Refusal {
  /** As in the API, without the prefix `data.`: `scope`, `rules[0].regexp.raw`. */
  field: string
  /** A sentence for the user. */
  problem: string
}

/** Errors by field (see `Refusal.field`). */
export type Problems = Readonly<Record<string, string>>

/** The causes that concern accounts; their texts are those of the API (http-api 11). */
const ACCOUNT_CAUSES: readonly { cause: RegExp; field: string; say: (detail: string) => string }[] = [
  {
    cause: /^password is too short, minimum length is (\d+)$/,
    field: 'password',
    say: count => t('fields.passwordShort', { count: Number(count) }),
  },
  { cause: /^password is too long/, field: 'password', say: () => t('fields.passwordLong') },
  { cause: /^password is too easy$/, field: 'password', say: () => t('fields.passwordEasy') },
  { cause: /^password is empty$/, field: 'password', say: () => t('fields.passwordEmpty') },
  { cause: /^username is empty$/, field: 'username', say: () => t('fields.usernameEmpty') },
  { cause: /^username /, field: 'username', say: () => t('fields.usernameBad') },
  {
    cause: /^the current password is incorrect$/,
    field: 'current_password',
    say: () => t('fields.currentPasswordWrong'),
  },
  { cause: /^permission to share /, field: 'perm', say: () => t('fields.shareNeedsDownload') },
]

/**
 * The field that a 400 response is about (http-api 1.3: the cause is in brackets and starts with the field's name).
 * `undefined` for anything else.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined
  const cause = /\((.*)\)\s*$/s.exec(error.message)?.[1] ?? ''
  for (const known of ACCOUNT_CAUSES) {
    const found = known.cause.exec(cause)
    if (found) return { field: known.field, problem: known.say(found[1] ?? '') }
  }
  const [, field, detail] = /^(?:data\.)?([\w.[\]]+): (.+)$/s.exec(cause) ?? []
  return field === undefined || detail === undefined ? undefined : { field, problem: detailText(detail) }
}

function detailText(detail: string): string {
  if (detail.includes('not a valid expression')) return t('fields.badExpression')
  if (detail.includes('not a folder')) return t('fields.badFolder')
  return t('fields.invalid')
}

/** The refusal as errors of a form; `undefined` when it names no field. */
export function problemsOf(error: unknown): Problems | undefined {
  const refusal = refusalOf(error)
  return refusal && { [refusal.field]: refusal.problem }
}
