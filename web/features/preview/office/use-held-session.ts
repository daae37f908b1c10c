import { useEffect, useEffectEvent, useRef } from 'react'
import { pageConfig } from '../../../lib/config.ts'
import { holdPage, useSession } from '../../../lib/session.ts'

/**
 * Keeps the page while it is rendered, although the session may end. @param onAgain called when there is a session again
 * @returns whether it has ended
 */
export function useHeldSession(onAgain: () => void): boolean {
  const isOver = useSession().reason === 'expired'
  const wasOver = useRef(false)
  const again = useEffectEvent(onAgain)
  // Without a sign-in page only a reload begins a session.
  useEffect(() => (pageConfig.LoginPage ? holdPage() : undefined), [])
  useEffect(() => {
    if (wasOver.current && !isOver) again()
    wasOver.current = isOver
  }, [isOver])
  return isOver
}
