import type { FilePath } from '../../../shared/path.ts'
import type { LoadedText } from './api/load-text.ts'
import { useTyped } from './use-document.ts'
import { useGuard } from './use-guard.ts'
import { useSaving } from './use-saving.ts'

export interface EditingOptions {
  path: FilePath
  name: string
  loaded: LoadedText
  draftKey: string
  /** Throws the text away and loads what the server has. */
  onReload: () => void
}

/** What is typed into a text, and what becomes of it: saved, kept as a draft, asked about before it is left. */
export function useEditing({ path, name, loaded, draftKey, onReload }: EditingOptions) {
  const typed = useTyped(loaded, draftKey)
  const { saving, save } = useSaving({ path, name, typed, onReload })
  const { start, dirty, isDirty, format, setFormat, change, restore, drafts } = typed
  useGuard({ name, dirty, isDirty, save, drafts })
  return { start, dirty, saving, format, setFormat, change, save, restore, forget: drafts.forget }
}
