import { useRef } from 'react'
import type { KeptItem } from '../../../../shared/api/trash.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import names from '../../files/operations/prompts/names.module.css'
import { purgeItems } from '../purge.ts'

/** Number of names listed; the rest is counted. */
const LISTED = 5

/** Confirms that items of the trash are deleted for good, with the focus on Cancel. */
export default function PurgePrompt({ items }: { items: readonly KeptItem[] }) {
  const cancel = useRef<HTMLButtonElement>(null)
  const [first] = items
  const count = items.length
  const run = () => {
    closePrompt()
    void purgeItems(items)
  }
  return (
    <Dialog
      alert
      title={count === 1 && first ? t('trash.purgeOne', { name: first.name }) : t('trash.purgeMany', { count })}
      description={t('trash.final')}
      onClose={closePrompt}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={closePrompt}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" onClick={run}>
            {t('trash.purge')}
          </Button>
        </>
      }
    >
      {count > 1 && (
        <ul className={names.names}>
          {items.slice(0, LISTED).map(({ id, name }) => (
            <li key={id} className={names.name}>
              <bdi>{shownName(name)}</bdi>
            </li>
          ))}
          {count > LISTED && <li className={names.more}>{t('files.deleteMore', { count: count - LISTED })}</li>}
        </ul>
      )}
    </Dialog>
  )
}
