import { useState } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { beginSession } from '../../lib/token.ts'
import { Button } from '../../ui/button.tsx'
import { KeyRound } from '../../ui/icons.ts'
import styles from './login.module.css'
import { enterWithPasskey } from './passkey.ts'
import { passkeyProblem } from './passkey-problem.ts'

/** Signs in with a passkey alone: the browser shows those of this site. */
export function PasskeyButton() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
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
