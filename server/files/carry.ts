import { ROOT } from '../../shared/path.ts'
import type { TransferGround } from './transfer.ts'

/**
 * The ground for what is in a folder that is copied, moved or removed: what its user only hides from sight goes along, and
 * what rules deny still keeps the whole where it is. The names that were asked for are checked on the other ground.
 */
export async function carrying<G extends Pick<TransferGround, 'store' | 'policy' | 'whole'>>(ground: G): Promise<G> {
  const policy = ground.policy.carrying()
  if (policy === ground.policy) return ground
  const whole = await ground.whole()
  const store = policy.restricts ? await whole.within(ROOT, policy.sees) : whole
  return { ...ground, policy, store }
}
