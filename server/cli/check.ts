import type { z } from 'zod/mini'
import { AppError } from '../errors.ts'
import { describeIssue } from '../http/validation.ts'

/**
 * Validates data from a file or from flags against a schema.
 * @param where name of the data, for the message
 * @throws AppError `bad_request` naming the field
 */
export function checked<S extends z.ZodMiniType>(schema: S, data: unknown, where: string): z.output<S> {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  throw new AppError('bad_request', `${describeIssue(result.error.issues[0], where)}.`)
}
