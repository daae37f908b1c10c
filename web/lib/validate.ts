import * as z from 'zod/mini'
import { t } from './i18n/index.ts'
import type { Problems } from './refusal.ts'

/** What the server's own schema has against a form, by field (see `Refusal.field`). */
export function schemaProblems(schema: z.ZodMiniType, value: unknown): Problems {
  const result = z.safeParse(schema, value)
  return Object.fromEntries((result.error?.issues ?? []).map(({ path }) => [fieldOf(path), t('fields.invalid')]))
}

/** A path in the notation of the wire: `rules[0].path`. */
function fieldOf(path: readonly PropertyKey[]): string {
  const parts = path.map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return parts.join('').replace(/^\./, '')
}
