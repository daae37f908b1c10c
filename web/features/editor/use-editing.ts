import { useRef, useState } from 'react'
import { parentOf, parsePath } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useBlocker } from '../../lib/router.tsx'
import { reloadFolder } from '../files/api/list.ts'
import { reasonOf } from '../files/reasons.ts'
import { type LoadedText, withLineEnds } from './api/load-text.ts'
import { saveText } from './api/save-text.ts'
import type { TextDraft } from './drafts.ts'
import { useDrafts } from './use-drafts.ts'

export interface EditingOptions {
  path: string
  name: string
  loaded: LoadedText
  draftKey: string
  /** Throws the text away and loads what the server has. */
  onReload: () => void
}

/** What is typed into a text, and what becomes of it: saved, kept as a draft, asked about before it is left. */
export function useEditing({ path, name, loaded, draftKey, onReload }: EditingOptions) {
  const text = useRef(loaded.text)
  const saved = useRef(loaded.text)
  const version = useRef(loaded.version)
  const last = useRef(Promise.resolve(true))
  /** Whether a save waits for the one before. */
  const waiting = useRef(false)
  const [dirty, setDirty] = useState(false)
  const [saving, setSaving] = useState(false)
  const forget = useDrafts(draftKey, dirty, () => ({ text: text.current, version: version.current }))
  const change = (now: string) => {
    text.current = now
    setDirty(now !== saved.current)
  }

  const put = async (expected: string | undefined) => {
    const sent = text.current
    version.current = await saveText(path, withLineEnds(sent, loaded.lineEnd), expected)
    saved.current = sent
    // Somebody may have gone on typing meanwhile.
    if (text.current === sent) forget()
    setDirty(text.current !== sent)
    notify('success', t('editor.saved'))
    void reloadFolder(parentOf(parsePath(path)))
  }
  const tell = (error: unknown) => {
    if (!(error instanceof ApiError && error.status === 412))
      return void notify('error', t('editor.saveFailed', { name, reason: reasonOf(error) }))
    const reload = () => {
      forget()
      onReload()
    }
    openPrompt('changedText', { name, onOverwrite: () => void save(true), onReload: reload })
  }
  const saveNow = async (anyVersion: boolean): Promise<boolean> => {
    if (!anyVersion && text.current === saved.current) return true
    setSaving(true)
    try {
      await put(anyVersion ? undefined : version.current)
      return true
    } catch (error) {
      tell(error)
      return false
    } finally {
      setSaving(false)
    }
  }
  /** Saves, after what is being saved already. @returns whether it is saved */
  const save = (anyVersion = false): Promise<boolean> => {
    if (waiting.current) return last.current
    waiting.current = true
    last.current = last.current.then(() => {
      waiting.current = false
      return saveNow(anyVersion)
    })
    return last.current
  }

  useBlocker(dirty, async () => {
    const choice = await new Promise<'save' | 'discard' | 'stay'>(answer => openPrompt('leaveText', { name, answer }))
    if (choice === 'discard') forget()
    return choice === 'save' ? save() : choice === 'discard'
  })
  /** Goes on with what was typed another time. */
  const restore = (draft: TextDraft) => {
    version.current = draft.version
    change(draft.text)
  }
  return { dirty, saving, change, save, restore, forget }
}
