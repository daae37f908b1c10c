import type { FilePath } from '../../../shared/path.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useBlocker } from '../../lib/router.tsx'
import type { LoadedText } from './api/load-text.ts'
import { useDocument } from './use-document.ts'
import type { Drafts } from './use-drafts.ts'
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

interface GuardOptions {
  /** Name of the file. */
  name: string
  dirty: boolean
  /** The same, at the time of the call. */
  isDirty: () => boolean
  /** @returns whether it was saved */
  save: () => Promise<boolean>
  drafts: Drafts
}

/** Prompts to save unsaved changes before the text is left. */
function useGuard({ name, dirty, isDirty, save, drafts }: GuardOptions): void {
  useBlocker(dirty, async () => {
    if (!isDirty()) return true
    const choice = await new Promise<'save' | 'discard' | 'stay'>(answer => openPrompt('leaveText', { name, answer }))
    if (choice === 'discard') drafts.forget()
    return choice === 'save' ? save() : choice === 'discard'
  })
}
