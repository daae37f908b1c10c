import { useRef } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { shownName } from '../../../../../shared/bytes.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { deleteItems } from '../delete.ts'
import { Later } from './later.tsx'
import styles from './names.module.css'

interface DeletePromptProps {
  items: readonly ResourceItem[]
}

/** Number of names listed; the rest is counted. */
const LISTED = 5

/**
 * Confirms a deletion, with the focus on Cancel: one key too many deletes nothing. Failures are reported afterwards.
 */
export default function DeletePrompt({ items }: DeletePromptProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const run = () => {
    closePrompt()
    void deleteItems(items)
  }
  return (
    <Dialog
      alert
      title={titleOf(items)}
      description={descriptionOf(items)}
      onClose={closePrompt}
      initialFocus={cancel}
      aside={<Later action="delete" items={items} />}
      footer={
        <>
          <Button ref={cancel} onClick={closePrompt}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" onClick={run}>
            {t('files.deleteConfirm')}
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
        <li key={item.path} className={styles.name}>
          <bdi>{shownName(item.name)}</bdi>
        </li>
      ))}
      {more > 0 && <li className={styles.more}>{t('files.deleteMore', { count: more })}</li>}
    </ul>
  )
}
