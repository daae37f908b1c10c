import type { FilePath } from '../../../shared/path.ts'
import type { LoadedText } from './api/load-text.ts'
import { useDocument } from './use-document.ts'
import { useGuard } from './use-guard.ts'
import { useSaving } from './use-saving.ts'

export interface EditingOptions {
  path: FilePath
  name: string
  loaded: LoadedText
  draftKey: string
  /** Discards the text and loads the server's. */
  onReload: () => void
}

/** The editing of a text: saving, drafts, and the prompt before leaving it. */
export function useEditing({ path, name, loaded, draftKey, onReload }: EditingOptions) {
  const typed = useDocument(loaded, draftKey)
  const { saving, save } = useSaving({ path, name, typed, onReload })
  const { start, dirty, isDirty, format, setFormat, change, restore, drafts } = typed
  useGuard({ name, dirty, isDirty, save, drafts })
  return { start, dirty, saving, format, setFormat, change, save, restore, forget: drafts.forget }
}
