import * as z from 'zod/mini'
import { t } from '../../lib/i18n/index.ts'
import type { Problems } from '../../lib/refusal.ts'

/** Validates a form against the server's own schema; errors by field (see `Refusal.field`). */
export function schemaProblems(schema: z.ZodMiniType, value: unknown): Problems {
  const result = z.safeParse(schema, value)
  return Object.fromEntries((result.error?.issues ?? []).map(({ path }) => [fieldOf(path), t('fields.invalid')]))
}

/** A path in the API's notation: `rules[0].path`. */
function fieldOf(path: readonly PropertyKey[]): string {
  const parts = path.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return parts.join('').replace(/^\./, '')
}
