import type { FilePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { clipboard, replaceClipboard } from './clipboard.ts'
import { runTransfer } from './run-transfer.ts'

/**
 * Copies or moves the clipboard into a folder. Cut items can be pasted once; they stay on the clipboard if the question
 * about conflicts is cancelled. Never rejects; failures are reported.
 */
export async function paste(folder: FilePath): Promise<void> {
  const held = clipboard()
  if (!held || held.pasting) return
  const moves = held.key === 'x'
  if (moves && held.path === folder) return void notify('info', t('transfer.alreadyHere', { count: held.items.length }))
  const asked = { ...held, pasting: true }
  replaceClipboard(held, asked)
  const begun = () => replaceClipboard(asked, moves ? null : { ...held, pasted: true })
  await runTransfer({ action: moves ? 'move' : 'copy', verify: false }, held.items, folder, begun)
  replaceClipboard(asked, held)
}
