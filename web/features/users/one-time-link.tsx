import { useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CurrentPassword, useConfirmation } from '../../ui/current-password.tsx'
import { Copy } from '../../ui/icons.ts'
import { makeOneTimeLink } from '../settings/api/mail.ts'
import styles from './one-time-link.module.css'

/** A link with which a user sets a new password, for the administrator to hand over (http-api 38). It is shown once. */
export default function OneTimeLink({ userId }: { userId: number }) {
  const [url, setUrl] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const confirmation = useConfirmation()
  const online = useOnline()
  const make = async () => {
    if (busy) return
    setBusy(true)
    setProblem('')
    try {
      setUrl((await makeOneTimeLink(userId, confirmation.password)).url)
    } catch (error) {
      if (!confirmation.takes(error)) setProblem(errorText(error))
    }
    setBusy(false)
  }
  const onCopy = async () => {
    const isCopied = await copyText(url)
    notify(isCopied ? 'success' : 'info', t(isCopied ? 'mail.linkCopied' : 'mail.copyByHand'))
  }
  return (
    <Card
      title={t('mail.oneTime')}
      text={t('mail.oneTimeText')}
      footer={
        url === '' ? (
          <Button busy={busy} disabled={!online} onClick={() => void make()}>
            {t('mail.makeOneTime')}
          </Button>
        ) : (
          <Button icon={<Copy size={18} aria-hidden />} onClick={() => void onCopy()}>
            {t('mail.copyLink')}
          </Button>
        )
      }
    >
      <div role="status">
        {url !== '' && (
          <>
            <p>{t('mail.oneTimeMade')}</p>
            <code className={styles.link} dir="ltr" translate="no">
              {url}
            </code>
          </>
        )}
      </div>
      {problem !== '' && <p role="alert">{problem}</p>}
      {url === '' && <CurrentPassword confirmation={confirmation} />}
    </Card>
  )
}
