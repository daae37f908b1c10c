import type { Effect } from '../../shared/permissions.ts'
import { AppError } from '../errors.ts'
import type { Policy } from './policy.ts'

const READING: ReadonlySet<Effect> = new Set(['list', 'read'])

/** A policy that allows no more than to look and to read, of what `sees` lets be seen. */
export function readingPolicy(policy: Policy, sees: Policy['sees']): Policy {
  const may = (effect: Effect) => READING.has(effect) && policy.may(effect)
  return {
    demand(effect) {
      if (!may(effect)) throw new AppError('forbidden')
    },
    may,
    sees,
    restricts: true,
  }
}
