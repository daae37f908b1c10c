import { type ReactNode, useEffect, useRef, useState } from 'react'
import { copyText } from '../lib/clipboard.ts'
import { t } from '../lib/i18n/index.ts'
import { notify } from '../lib/notices.ts'
import { closePrompt } from '../lib/prompts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Copy } from './icons.ts'
import styles from './secret-dialog.module.css'

interface SecretDialogProps {
  title: string
  description: string
  secret: string
  /** Text of the button that copies. */
  copy: string
  /** What is said when it has been copied, could not be copied, and would be lost. */
  copied: string
  byHand: string
  notCopied: string
  children?: ReactNode
}

/** A secret that is shown once, to copy. Closing it without a copy takes a second attempt. */
export function SecretDialog({ title, description, secret, children, ...texts }: SecretDialogProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [copied, setCopied] = useState(false)
  const [warned, setWarned] = useState(false)
  useEffect(() => button.current?.focus(), [])
  const onCopy = async () => {
    if (!(await copyText(secret))) return notify('info', texts.byHand)
    setCopied(true)
    notify('success', texts.copied)
  }
  const leave = () => {
    if (copied || warned) return closePrompt()
    setWarned(true)
    button.current?.focus()
  }
  return (
    <Dialog
      alert
      title={title}
      description={description}
      onClose={leave}
      initialFocus={button}
      footer={
        <>
          <Button onClick={leave}>{t('common.close')}</Button>
          <Button ref={button} kind="primary" icon={<Copy size={18} aria-hidden />} onClick={() => void onCopy()}>
            {texts.copy}
          </Button>
        </>
      }
    >
      <code className={styles.secret} dir="ltr" translate="no">
        {secret}
      </code>
      {children}
      <p className={styles.problem} role="alert">
        {warned && !copied && texts.notCopied}
      </p>
    </Dialog>
  )
}
