import { useRef, useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt, currentPrompt, type PromptProps } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { reloadFolders } from '../api/list.ts'
import { type RemoveFailure, removeAll } from '../api/remove.ts'
import styles from './delete.module.css'

/** Names listed at most; the rest is counted. */
const LISTED = 5

/** Asks before deleting, deletes, and tells what could not be deleted. Enter confirms (specification section 2). */
export default function DeletePrompt({ items }: PromptProps['delete']) {
  const confirm = useRef<HTMLButtonElement>(null)
  const [tried, setTried] = useState<number>()
  const [failures, setFailures] = useState<readonly RemoveFailure<ResourceItem>[]>([])
  const busy = tried !== undefined

  const run = async () => {
    const id = currentPrompt()?.id
    setTried(0)
    const failed = await removeAll(items, setTried)
    const removed = items.length - failed.length
    if (removed > 0) notify('success', t('files.deleted', { count: removed }))
    await reloadFolders()
    if (currentPrompt()?.id !== id) return
    if (failed.length === 0) return closePrompt()
    setTried(undefined)
    setFailures(failed)
  }
  if (failures.length > 0) return <DeleteFailures failures={failures} />
  return (
    <Dialog
      alert
      title={titleOf(items)}
      description={descriptionOf(items)}
      onClose={closePrompt}
      initialFocus={confirm}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button ref={confirm} kind="danger" busy={busy} onClick={() => void run()}>
            {busy && items.length > 1
              ? t('files.deleting', { done: tried, total: items.length })
              : t('files.deleteConfirm')}
          </Button>
        </>
      }
    >
      {items.length > 1 && <Names items={items} />}
    </Dialog>
  )
}

function titleOf(items: readonly ResourceItem[]): string {
  const [first] = items
  return items.length === 1 && first
    ? t('files.deleteOne', { name: first.name })
    : t('files.deleteMany', { count: items.length })
}

function descriptionOf(items: readonly ResourceItem[]): string {
  const folders = items.filter(item => item.isDir).length
  if (items.length > 1) return t('files.deleteManyText', { folders })
  return t(folders > 0 ? 'files.deleteFolder' : 'files.deleteOneText')
}

function Names({ items }: { items: readonly ResourceItem[] }) {
  const more = items.length - LISTED
  return (
    <ul className={styles.names}>
      {items.slice(0, LISTED).map(item => (
        <li key={item.name} className={styles.name}>
          <bdi>{item.name}</bdi>
        </li>
      ))}
      {more > 0 && <li className={styles.more}>{t('files.deleteMore', { count: more })}</li>}
    </ul>
  )
}

function DeleteFailures({ failures }: { failures: readonly RemoveFailure<ResourceItem>[] }) {
  const close = useRef<HTMLButtonElement>(null)
  const more = failures.length - LISTED
  return (
    <Dialog
      alert
      title={t('files.deleteFailed', { count: failures.length })}
      onClose={closePrompt}
      initialFocus={close}
      footer={
        <Button ref={close} kind="primary" onClick={closePrompt}>
          {t('common.close')}
        </Button>
      }
    >
      <ul className={styles.names}>
        {failures.slice(0, LISTED).map(({ item, error }) => (
          <li key={item.name} className={styles.name}>
            <bdi>{item.name}</bdi>
            <span className={styles.reason}>{errorText(error)}</span>
          </li>
        ))}
        {more > 0 && <li className={styles.more}>{t('files.deleteMore', { count: more })}</li>}
      </ul>
    </Dialog>
  )
}
