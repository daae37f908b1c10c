import { useState } from 'react'
import { errorText } from '../../../lib/error-text.ts'
import { notify } from '../../../lib/notices.ts'
import { useConfirmation } from '../../../ui/current-password.tsx'

/** Runs changes of memberships one at a time, which the server may want confirmed. */
export function useMembership() {
  const [busy, setBusy] = useState(false)
  const confirmation = useConfirmation()
  /** @returns whether it was done */
  const run = async (change: (password: string | undefined) => Promise<void>): Promise<boolean> => {
    if (busy) return false
    setBusy(true)
    try {
      await change(confirmation.password)
      return true
    } catch (error) {
      if (!confirmation.takes(error)) notify('error', errorText(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, confirmation, run }
}
