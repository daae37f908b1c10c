import { useEffect, useRef, useState } from 'react'
import type { NewToken } from '../../../../shared/api/tokens.ts'
import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { copyText } from '../../../lib/clipboard.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { href } from '../../../lib/router.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Copy } from '../../../ui/icons.ts'
import styles from './tokens.module.css'

/** The secret of a new token, to copy. Closing it without a copy takes a second attempt. */
export function TokenSecret({ made }: { made: NewToken }) {
  const copy = useRef<HTMLButtonElement>(null)
  const [copied, setCopied] = useState(false)
  const [warned, setWarned] = useState(false)
  useEffect(() => copy.current?.focus(), [])
  const onCopy = async () => {
    if (!(await copyText(made.token))) return notify('info', t('tokens.copyByHand'))
    setCopied(true)
    notify('success', t('tokens.copied'))
  }
  const leave = () => {
    if (copied || warned) return closePrompt()
    setWarned(true)
    copy.current?.focus()
  }
  return (
    <Dialog
      alert
      title={t('tokens.madeTitle')}
      description={t('tokens.madeText')}
      onClose={leave}
      initialFocus={copy}
      footer={
        <>
          <Button onClick={leave}>{t('common.close')}</Button>
          <Button ref={copy} kind="primary" icon={<Copy size={18} aria-hidden />} onClick={() => void onCopy()}>
            {t('tokens.copy')}
          </Button>
        </>
      }
    >
      <code className={styles.secret} dir="ltr" translate="no">
        {made.token}
      </code>
      <p className={styles.facts}>{t('tokens.example')}</p>
      <pre className={styles.example} dir="ltr" translate="no">
        {exampleOf(made)}
      </pre>
      <p className={styles.problem} role="alert">
        {warned && !copied && t('tokens.notCopied')}
      </p>
    </Dialog>
  )
}

/** A command that lists what the token reaches. It does not repeat the secret. */
function exampleOf({ folders: [folder = '/'], scopes }: NewToken): string {
  const path = scopes.includes('read')
    ? `/api/resources${encodePath(folder as FilePath).replace(/\/?$/, '/')}`
    : '/api/users'
  return `curl -H "Authorization: Bearer flg_…" \\\n${location.origin}${href(path)}`
}
