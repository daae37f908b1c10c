import { problemText } from '../../lib/provider-problem.ts'
import type { Refusal } from './failure.ts'

/** Why a provider or a directory lets a user not in. */
export default function Problem({ problem, provider }: Refusal) {
  return problemText(problem, provider)
}
