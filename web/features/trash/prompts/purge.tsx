import type { KeptItem } from '../../../../shared/api/trash.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Names } from '../../files/operations/prompts/names.tsx'
import { purgeItems } from '../purge.ts'

/** Confirms that items of the trash are deleted permanently. */
export default function PurgePrompt({ items }: { items: readonly KeptItem[] }) {
  const [first] = items
  const count = items.length
  const run = () => {
    closePrompt()
    void purgeItems(items)
  }
  return (
    <ConfirmDialog
      title={count === 1 && first ? t('trash.purgeOne', { name: first.name }) : t('trash.purgeMany', { count })}
      description={t('trash.final')}
      confirm={t('trash.purge')}
      run={run}
    >
      {count > 1 && <Names items={items.map(({ id, name }) => ({ key: id, name }))} />}
    </ConfirmDialog>
  )
}
