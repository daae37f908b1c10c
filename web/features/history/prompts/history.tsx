import { useState } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useCurrentFolder } from '../../../lib/router.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { OfflineNotice } from '../../../ui/offline-bar.tsx'
import { FilteredChanges } from '../changes.tsx'
import { EVERYTHING } from '../options.ts'

/** The changes, next to the listing; a bottom sheet on narrow screens. */
export default function HistorySheet() {
  const folder = useCurrentFolder()
  const [options, setOptions] = useState(EVERYTHING)
  return (
    <Dialog wide="side" title={t('nav.history')} onClose={closePrompt}>
      <OfflineNotice />
      <FilteredChanges options={options} onOptions={setOptions} from={folder} level={3} />
    </Dialog>
  )
}
