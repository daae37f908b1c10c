import { useRef } from 'react'
import { shownName } from '../../../../../shared/bytes.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import styles from './names.module.css'

interface ErrorPromptProps {
  title: string
  /** Failed items with their reasons. */
  failures: readonly { name: string; reason: string }[]
  onRetry?: (() => void) | undefined
}

/** Number of items listed; the rest is counted. */
const LISTED = 50

/** Failed items with their reasons, and a retry. A reason that all have is said once. */
export default function ErrorPrompt({ title, failures, onRetry }: ErrorPromptProps) {
  const close = useRef<HTMLButtonElement>(null)
  const more = failures.length - LISTED
  const [first, ...others] = failures
  const isShared = others.length > 0 && others.every(({ reason }) => reason === first?.reason)
  const retry = () => {
    closePrompt()
    onRetry?.()
  }
  return (
    <Dialog
      alert
      title={title}
      description={isShared && first?.reason}
      onClose={closePrompt}
      initialFocus={close}
      footer={
        <>
          {onRetry && <Button onClick={retry}>{t('common.retry')}</Button>}
          <Button ref={close} kind="primary" onClick={closePrompt}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls is reached by keyboard */}
      <ul className={styles.names} aria-label={title} tabIndex={0}>
        {failures.slice(0, LISTED).map(({ name, reason }) => (
          <li key={name} className={styles.name}>
            <bdi>{shownName(name)}</bdi>
            {!isShared && <span className={styles.reason}>{reason}</span>}
          </li>
        ))}
        {more > 0 && <li className={styles.more}>{t('files.deleteMore', { count: more })}</li>}
      </ul>
    </Dialog>
  )
}
