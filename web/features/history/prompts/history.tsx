import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useCurrentFolder } from '../../../lib/router.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FilteredChanges } from '../changes.tsx'

/** The changes, next to the listing; a bottom sheet on narrow screens. */
export default function HistorySheet() {
  const folder = useCurrentFolder()
  return (
    <Dialog wide="side" title={t('nav.history')} onClose={closePrompt}>
      <FilteredChanges from={folder} level={3} />
    </Dialog>
  )
}
