import { useRef, useState } from 'react'
import type { LockInfo } from '../../../../../shared/api/locks.ts'
import { shownName } from '../../../../../shared/bytes.ts'
import { errorText } from '../../../../lib/error-text.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { notify } from '../../../../lib/notices.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { useQuery } from '../../../../lib/query.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { LoadFailure } from '../../../../ui/load-failure.tsx'
import { Spinner } from '../../../../ui/spinner.tsx'
import { locksQuery, releaseLock } from '../../api/locks.ts'
import { LockList } from '../lock-list.tsx'
import styles from '../locks.module.css'

interface LockedProps {
  path: string
  name: string
  /** Repeats what the lock has refused. */
  onRetry?: () => void
  /** Saves the content elsewhere. */
  onSaveCopy?: () => void
}

/** Shows who has locked an item, and offers to release the lock. It follows the lock while it is open. */
export default function LockedPrompt({ path, name, onRetry, onSaveCopy }: LockedProps) {
  const close = useRef<HTMLButtonElement>(null)
  const { data, error, refetch } = useQuery(locksQuery(path))
  const [busy, setBusy] = useState<string>()
  const isFree = data?.locks.length === 0
  const settle = (act: () => void) => {
    closePrompt()
    act()
  }
  const release = async ({ id }: LockInfo) => {
    setBusy(id)
    try {
      await releaseLock(path, id)
      if (!onRetry) closePrompt()
      notify('success', t('locks.released'))
    } catch (failure) {
      notify('error', errorText(failure))
    }
    setBusy(undefined)
  }
  const button = (lock: LockInfo) =>
    lock.releasable && (
      <Button kind="danger" className={styles.release} busy={busy === lock.id} onClick={() => void release(lock)}>
        {t('locks.release')}
      </Button>
    )
  return (
    <Dialog
      title={t('locks.titleOf', { name: shownName(name) })}
      onClose={closePrompt}
      initialFocus={close}
      footer={
        <>
          <Button ref={close} onClick={closePrompt}>
            {t('common.close')}
          </Button>
          {onSaveCopy && <Button onClick={() => settle(onSaveCopy)}>{t('locks.saveCopy')}</Button>}
          {onRetry && (
            <Button kind="primary" onClick={() => settle(onRetry)}>
              {t('common.retry')}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.dialog} aria-live="polite">
        {!data &&
          (error ? (
            <LoadFailure error={error} onRetry={() => void refetch()} />
          ) : (
            <Spinner label={t('common.loading')} />
          ))}
        {isFree && <p>{t('locks.gone')}</p>}
        {data && !isFree && <LockList path={path} locks={data.locks} action={button} />}
        {data?.locks.some(({ releasable }) => releasable) && <p className={styles.more}>{t('locks.releaseText')}</p>}
      </div>
    </Dialog>
  )
}
