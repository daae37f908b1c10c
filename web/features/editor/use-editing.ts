import { Text } from '@codemirror/state'
import { useRef, useState } from 'react'
import { type FilePath, parentOf } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { filesUrl, navigate, useBlocker } from '../../lib/router.tsx'
import { EncodingError, encodeText, type TextFormat } from '../../lib/text-encoding.ts'
import { knownEntry, reloadFolder } from '../files/api/list.ts'
import { reasonOf } from '../files/reasons.ts'
import { type LoadedText, loadText } from './api/load-text.ts'
import { saveText } from './api/save-text.ts'
import type { TextDraft } from './drafts.ts'
import { saveBeside } from './save-beside.ts'
import { type Drafts, useDrafts } from './use-drafts.ts'

export interface EditingOptions {
  path: FilePath
  name: string
  loaded: LoadedText
  draftKey: string
  /** Throws the text away and loads what the server has. */
  onReload: () => void
}

/** A text as it was saved last. */
interface Saved extends TextFormat {
  text: Text
  version: string
}

/** What is typed into a text, and what becomes of it: saved, kept as a draft, asked about before it is left. */
export function useEditing({ path, name, loaded, draftKey, onReload }: EditingOptions) {
  const [start, setStart] = useState(() => textOf(loaded.text))
  const text = useRef(start)
  const saved = useRef<Saved>({ ...loaded, text: start })
  const [format, setFormat] = useState<TextFormat>(loaded)
  const [savedFormat, setSavedFormat] = useState<TextFormat>(loaded)
  const [changed, setChanged] = useState(false)
  const dirty = changed || !isSameFormat(format, savedFormat)
  const drafts = useDrafts(draftKey, dirty, () => ({ text: text.current, version: saved.current.version }))
  const { saving, inTurn } = useTurns()

  const settle = (now: Saved) => {
    saved.current = now
    // Somebody may have gone on typing meanwhile.
    const same = text.current.eq(now.text)
    if (same) drafts.forget()
    setChanged(!same)
    setSavedFormat(now)
  }
  const put = async (expected: string): Promise<void> => {
    const sent = text.current
    const version = await saveText(path, encodeText(sent.toString(), format), expected)
    settle({ ...format, text: sent, version })
    notify('success', t('editor.saved'))
    void reloadFolder(parentOf(path))
  }
  const saveNow = async (expected: string): Promise<boolean> => {
    try {
      await put(expected)
      return true
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) return fail(error)
      drafts.keep()
      return resolve().catch(fail)
    }
  }
  /** What the file has become meanwhile. @returns whether it is what was to be saved */
  const resolve = async (): Promise<boolean> => {
    const theirs = await loadText(path, knownEntry(parentOf(path), name)?.size ?? 0)
    if (text.current.eq(textOf(theirs.text))) {
      settle({ ...theirs, text: text.current })
      setFormat(theirs)
      return true
    }
    openPrompt('changedText', {
      name,
      mine: text.current.toString(),
      theirs: theirs.text,
      // Only what was shown is overwritten.
      onOverwrite: () => void inTurn(() => saveNow(theirs.version)),
      onKeepBoth: () => void inTurn(keepBoth),
      onReload: () => {
        drafts.forget()
        onReload()
      },
    })
    return false
  }
  /** What did not go: the text stays, here and as a draft. */
  const fail = (error: unknown): false => {
    drafts.keep()
    notify('error', failureText(error, name, format))
    return false
  }
  const keepBoth = async (): Promise<boolean> => {
    const sent = text.current
    try {
      const copy = await saveBeside(path, encodeText(sent.toString(), format))
      settle({ ...saved.current, ...format, text: sent })
      await navigate(filesUrl(copy), { replace: true })
      return true
    } catch (error) {
      return fail(error)
    }
  }
  const save = () => inTurn(async () => !isDirty() || saveNow(saved.current.version))
  const isDirty = () => !(text.current.eq(saved.current.text) && isSameFormat(format, saved.current))

  useGuard(dirty, isDirty, name, save, drafts)
  return {
    /** What an editor begins with. */
    start,
    dirty,
    saving,
    format,
    setFormat,
    change: (now: Text) => {
      text.current = now
      setChanged(!now.eq(saved.current.text))
    },
    save,
    /** Goes on with what was typed another time. @returns the text */
    restore: (draft: TextDraft): Text => {
      text.current = textOf(draft.text)
      saved.current = { ...saved.current, version: draft.version }
      setStart(text.current)
      setChanged(true)
      return text.current
    },
    forget: drafts.forget,
  }
}

/** The lines of a text. */
export const textOf = (text: string): Text => Text.of(text.split('\n'))

const isSameFormat = (a: TextFormat, b: TextFormat): boolean => a.encoding === b.encoding && a.lineEnd === b.lineEnd

function failureText(error: unknown, name: string, { encoding }: TextFormat): string {
  const reason = error instanceof EncodingError ? t('editor.unencodable', { encoding }) : reasonOf(error)
  return t('editor.saveFailed', { name, reason })
}

/** Does one thing after the other; what is asked for while another waits is that one. */
function useTurns() {
  const [saving, setSaving] = useState(false)
  const last = useRef(Promise.resolve(true))
  const waiting = useRef(false)
  const inTurn = (act: () => Promise<boolean>): Promise<boolean> => {
    if (waiting.current) return last.current
    waiting.current = true
    last.current = last.current.then(async () => {
      waiting.current = false
      setSaving(true)
      return act().finally(() => setSaving(false))
    })
    return last.current
  }
  return { saving, inTurn }
}

/** Asks what becomes of the changes before the text is left. */
function useGuard(
  dirty: boolean,
  isDirty: () => boolean,
  name: string,
  save: () => Promise<boolean>,
  { forget }: Drafts,
): void {
  useBlocker(dirty, async () => {
    if (!isDirty()) return true
    const choice = await new Promise<'save' | 'discard' | 'stay'>(answer => openPrompt('leaveText', { name, answer }))
    if (choice === 'discard') forget()
    return choice === 'save' ? save() : choice === 'discard'
  })
}
