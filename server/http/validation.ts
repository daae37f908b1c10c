import type { preHandlerAsyncHookHandler } from 'fastify'
import type * as z from 'zod/mini'
import { AppError } from '../errors.ts'
import type { Route } from '../routing/route.ts'

type Issue = z.core.$ZodIssue

/**
 * Validates the JSON body of a route before its handler runs, and drops unknown fields.
 * @throws AppError `bad_request` with the first invalid field, unless the route ignores such a body
 */
export function bodyCheck({ schema, misfit }: Route): preHandlerAsyncHookHandler[] {
  if (!schema) return []
  const check: preHandlerAsyncHookHandler = async request => {
    const read = schema.safeParse(request.body ?? null)
    if (!read.success && misfit !== 'ignored') throw new AppError('bad_request', describeIssue(read.error.issues[0]))
    request.body = read.data
  }
  return [check]
}

/**
 * An issue as a cause that names the field: `data.rules[0].path: must be a string`.
 * @param where the name of the whole value, if it helps
 */
export function describeIssue(issue: Issue | undefined, where = ''): string {
  if (!issue) return `${where || 'body'}: cannot be used`
  return `${nameField(where, issue.path) || 'body'}: ${demandOf(issue)}`
}

function nameField(where: string, path: readonly PropertyKey[]): string {
  const parts = path.map(part => (typeof part === 'number' ? `[${part}]` : `.${printable(String(part))}`))
  return [where, ...parts].join('').replace(/^\./, '')
}

/** A key chosen by the client must not be able to inject lines. */
const printable = (key: string) => key.slice(0, 64).replace(/[^\x21-\x7e]/g, '?')

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

/** The expected type of a field. */
function demandOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.map(value => JSON.stringify(value)).join(' or ')}`
    case 'invalid_union':
      return issue.errors.flatMap(branch => branch.slice(0, 1).map(demandOf)).join(' or ')
    case 'too_big':
      return `must be no ${issue.origin === 'string' || issue.origin === 'array' ? 'longer' : 'more'} than ${issue.maximum}`
    case 'too_small':
      return `must be no less than ${issue.minimum}`
    default:
      return 'is not allowed'
  }
}
