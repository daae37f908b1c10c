import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { beginSession } from '../../lib/token.ts'
import { Button } from '../../ui/button.tsx'
import { KeyRound } from '../../ui/icons.ts'
import styles from './login.module.css'
import { enterWithPasskey, offerPasskeys } from './passkey.ts'
import { passkeyProblem } from './passkey-problem.ts'

/** Signs in with a passkey alone: the browser shows those of this site, also in the field of the name. */
export function PasskeyButton() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (busy) return
    const over = new AbortController()
    const offer = async (): Promise<void> => {
      try {
        const token = await offerPasskeys(over.signal)
        if (token !== undefined) beginSession(token)
      } catch (error) {
        // Where the browser or the server does not offer them now, the button is left.
        if (!(error instanceof ApiError) || error.status !== 403) return
        setProblem(passkeyProblem(error))
        return offer()
      }
    }
    void offer()
    return () => over.abort()
  }, [busy])
  const enter = async () => {
    setBusy(true)
    setProblem('')
    try {
      return beginSession(await enterWithPasskey())
    } catch (error) {
      setProblem(passkeyProblem(error))
    }
    setBusy(false)
  }
  return (
    <>
      <Button busy={busy} icon={<KeyRound size={18} aria-hidden />} onClick={() => void enter()}>
        {t('signIn.passkey')}
      </Button>
      <p className={styles.error} role="alert">
        {problem}
      </p>
    </>
  )
}
