import { useRef, useState } from 'react'
import { type FilePath, nameOf, parentOf, trustedChild } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { navigate, shownUrl } from '../../lib/router.tsx'
import { sessionStore } from '../../lib/session.ts'
import { errorMessageOf } from '../files/api/error-messages.ts'
import { knownEntry, knownFolder, reloadFolder } from '../files/api/list.ts'
import { freeName } from '../files/items/names.ts'
import { EncodingError, encodeText, type TextFormat } from '../files/items/text-encoding.ts'
import { offerUndo } from '../files/operations/undo.ts'
import { loadText } from './api/load-text.ts'
import { saveNewText, saveText } from './api/save-text.ts'
import { type EditedDocument, textOf } from './use-document.ts'

interface SavingOptions {
  path: FilePath
  name: string
  typed: EditedDocument
  /** Discards the text and loads the server's. */
  onReload: () => void
}

/** Saves a text to its file, unless that has changed in the meantime: then the user has to decide. */
export function useSaving({ path, name, typed, onReload }: SavingOptions) {
  const { text, saved, format, setFormat, isDirty, drafts, settle } = typed
  const { saving, serialized } = useSerialized()

  const saveNow = async (expected: string): Promise<boolean> => {
    const sent = text.current
    let change: string | undefined
    try {
      const { version, ...done } = await saveText(path, encodeText(sent.toString(), format), expected)
      settle({ ...format, text: sent, version })
      change = done.change
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) return fail(error)
      drafts.keep()
      return resolve().catch(fail)
    }
    offerUndo(t('editor.saved'), [change], { after: () => isDirty() || onReload() })
    void reloadFolder(parentOf(path))
    return true
  }
  /** Compares with the file's current text. @returns whether it equals the text to be saved */
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
      // Overwrites only the version that was shown.
      onOverwrite: () => void serialized(() => saveNow(theirs.version)),
      onKeepBoth: () => void serialized(keepBoth),
      onReload: () => {
        drafts.forget()
        onReload()
      },
    })
    return false
  }
  const keepBoth = async (): Promise<boolean> => {
    const sent = text.current
    try {
      const copy = await saveCopy(path, encodeText(sent.toString(), format))
      settle({ ...saved.current, ...format, text: sent })
      await navigate(shownUrl(copy, 'text'), { replace: true })
      return true
    } catch (error) {
      return fail(error)
    }
  }
  /** A failed save: the text stays, here and as a draft. */
  const fail = (error: unknown): false => {
    drafts.keep()
    if (error instanceof ApiError && error.code === 'locked') {
      openPrompt('locked', {
        path,
        name,
        onRetry: () => void serialized(() => saveNow(saved.current.version)),
        ...(sessionStore.get().user?.perm.create && { onSaveCopy: () => void serialized(keepBoth) }),
      })
    } else notify('error', failureText(error, name, format))
    return false
  }
  /**
   * @returns whether no changes are left to save
   */
  const save = () => serialized(async () => !isDirty() || saveNow(saved.current.version))
  return { saving, save }
}

function failureText(error: unknown, name: string, { encoding }: TextFormat): string {
  const reason = error instanceof EncodingError ? t('editor.unencodable', { encoding }) : errorMessageOf(error)
  return t('editor.saveFailed', { name, reason })
}

/** Attempts at another name, in case it is taken in the meantime. */
const ATTEMPTS = 100

/** Saves a text as a new file next to another, under a free name. @returns its path @throws ApiError */
async function saveCopy(path: FilePath, bytes: Uint8Array<ArrayBuffer>): Promise<FilePath> {
  const folder = parentOf(path)
  const taken = new Set([nameOf(path), ...(knownFolder(folder)?.items ?? []).map(item => item.name)])
  for (let attempt = 1; ; attempt += 1) {
    const name = freeName(nameOf(path), taken)
    const copy = trustedChild(folder, name)
    try {
      await saveNewText(copy, bytes)
      void reloadFolder(folder)
      return copy
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409) || attempt === ATTEMPTS) throw error
      taken.add(name)
    }
  }
}

/** Runs calls one after the other; a call made while another is queued joins the queued one. */
function useSerialized() {
  const [saving, setSaving] = useState(false)
  const last = useRef(Promise.resolve(true))
  const waiting = useRef(false)
  const serialized = (act: () => Promise<boolean>): Promise<boolean> => {
    if (waiting.current) return last.current
    waiting.current = true
    last.current = last.current.then(async () => {
      waiting.current = false
      setSaving(true)
      return act().finally(() => setSaving(false))
    })
    return last.current
  }
  return { saving, serialized }
}
