import { ROOT } from '../../shared/path.ts'
import type { TransferContext } from './transfer.ts'

/**
 * The context for the contents of a folder that is copied, moved or removed: names that the user only hides are
 * included, while entries that rules deny still block the whole operation. The requested names are checked in the
 * original context.
 */
export async function carrying<G extends Pick<TransferContext, 'store' | 'policy' | 'whole'>>(context: G): Promise<G> {
  const policy = context.policy.carrying()
  if (policy === context.policy) return context
  const whole = await context.whole()
  const store = policy.restricts ? await whole.within(ROOT, policy.sees) : whole
  return { ...context, policy, store }
}
