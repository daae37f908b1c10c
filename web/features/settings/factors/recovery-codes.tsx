import { useRef, useState } from 'react'
import { copyText } from '../../../lib/clipboard.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Copy } from '../../../ui/icons.ts'
import styles from './factors.module.css'

/** Recovery codes, which no other page shows. Closing it otherwise than by the button takes a second attempt. */
export function RecoveryCodesDialog({ codes }: { codes: readonly string[] }) {
  const copy = useRef<HTMLButtonElement>(null)
  const [warned, setWarned] = useState(false)
  const onCopy = async () => {
    const copied = await copyText(codes.join('\n'))
    notify(copied ? 'success' : 'info', t(copied ? 'factors.copied' : 'factors.copyByHand'))
  }
  const leave = () => {
    if (warned) return closePrompt()
    setWarned(true)
    copy.current?.focus()
  }
  return (
    <Dialog
      alert
      title={t('factors.codesTitle')}
      description={t('factors.codesText')}
      onClose={leave}
      initialFocus={copy}
      footer={
        <>
          <Button ref={copy} icon={<Copy size={18} aria-hidden />} onClick={() => void onCopy()}>
            {t('factors.copy')}
          </Button>
          <Button kind="primary" onClick={closePrompt}>
            {t('factors.kept')}
          </Button>
        </>
      }
    >
      <ul className={styles.codes} dir="ltr" translate="no">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className={styles.problem} role="alert">
        {warned && t('factors.notKept')}
      </p>
    </Dialog>
  )
}
