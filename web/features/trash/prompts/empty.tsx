import { useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { emptyTrash } from '../purge.ts'

/** Confirms that the trash is emptied, with the focus on Cancel. @param mine only what the user deleted */
export default function EmptyPrompt({ mine }: { mine: boolean }) {
  const cancel = useRef<HTMLButtonElement>(null)
  const run = () => {
    closePrompt()
    void emptyTrash(mine)
  }
  return (
    <Dialog
      alert
      title={t('trash.emptyTitle')}
      description={t(mine ? 'trash.emptyOwn' : 'trash.emptyText')}
      onClose={closePrompt}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={closePrompt}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" onClick={run}>
            {t('trash.emptyConfirm')}
          </Button>
        </>
      }
    />
  )
}
