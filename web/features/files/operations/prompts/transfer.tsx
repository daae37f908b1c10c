import { useState } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { type FilePath, parentOf, parsePath } from '../../../../../shared/path.ts'
import { pageConfig } from '../../../../lib/config.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import type { TransferAction } from '../../api/resource.ts'
import { commonFolder } from '../../items/common-folder.ts'
import styles from '../destination/destination.module.css'
import { DestinationDialog } from '../destination/dialog.tsx'
import { transferItems } from '../transfer.ts'
import { transferProblem, transferTitle } from '../transfer-texts.ts'
import { Later } from './later.tsx'

interface TransferPromptProps {
  action: TransferAction
  items: readonly ResourceItem[]
}

/** Prompts for a destination. Enter confirms, also from the folder tree. */
export default function TransferPrompt({ action, items }: TransferPromptProps) {
  const [destination, setDestination] = useState<FilePath>(() => commonFolder(items))
  const [verify, setVerify] = useState(false)
  const problem = transferProblem(action, items, destination)
  return (
    <DestinationDialog
      title={transferTitle(action, items)}
      action={t(action === 'copy' ? 'picker.copy' : 'picker.move')}
      value={destination}
      onChange={setDestination}
      isRefused={problem !== undefined}
      hint={problem ?? hintFor(action, items, destination)}
      onConfirm={() => void transferItems(action, items, destination, verify)}
      aside={isRefused => (
        <Later action={action} items={items} destination={destination} verify={verify} disabled={isRefused} />
      )}
    >
      <Checkbox label={t('transfer.verify')} checked={verify} onChange={setVerify} />
      {action === 'move' && pageConfig.MovesByCopy && <p className={styles.hint}>{t('transfer.copiesAll')}</p>}
    </DestinationDialog>
  )
}

function hintFor(action: TransferAction, items: readonly ResourceItem[], to: FilePath): string | undefined {
  const isNextToOriginal = action === 'copy' && items.some(({ path }) => parentOf(parsePath(path)) === to)
  return isNextToOriginal ? t('picker.numbered') : undefined
}
