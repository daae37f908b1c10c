import { shownName } from '../../../../shared/bytes.ts'
import { type FilePath, ROOT } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'

/** Says into which folder something goes. @param top what the interface calls the top folder */
export function intoText(folder: FilePath, top = t('files.home')): string {
  return t('picker.into', { path: folder === ROOT ? top : shownName(folder) })
}
