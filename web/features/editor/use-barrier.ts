import type { FileResource } from '../../../shared/api/resources.ts'
import { MAX_EDITED_BYTES } from '../../../shared/limits.ts'
import { useUserHere } from '../../lib/actions.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import type { LoadedText } from './api/load-text.ts'

/** Whether the user may change the file. */
export function useMayModify({ type }: FileResource): boolean {
  const user = useUserHere()
  return type !== 'textImmutable' && (user?.perm.modify ?? false)
}

/** Why this text is read-only; `undefined` when it is editable. */
export function useBarrier(resource: FileResource, loaded: LoadedText): string | undefined {
  const mayModify = useMayModify(resource)
  return flawOf(loaded, mayModify ? undefined : t('editor.readOnly'))
}

/** Why a text cannot be edited by anyone, else `otherwise`. */
export function flawOf({ exact, cut }: LoadedText, otherwise?: string): string | undefined {
  if (cut) return t('editor.tooLarge', { limit: formatBytes(MAX_EDITED_BYTES) })
  return otherwise ?? (exact ? undefined : t('editor.noText'))
}
