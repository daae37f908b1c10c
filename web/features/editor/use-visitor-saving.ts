import type { Text } from '@codemirror/state'
import { useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useBlocker } from '../../lib/router.tsx'
import { type DecodedText, decodeText, EncodingError, encodeText } from '../files/items/text-encoding.ts'
import { textOf } from './use-document.ts'

/** A file of a link as bytes, with its version. */
export interface VersionedBytes {
  bytes: Uint8Array<ArrayBuffer>
  version: string
}

/** The file of a link: how its page loads and saves it. */
export interface VisitorFile {
  /** Distinguishes it from other files. */
  id: string
  /** @throws ApiError */
  load: (signal?: AbortSignal) => Promise<VersionedBytes>
  /** Replaces that version only. @returns the new one @throws ApiError 412 for another one */
  save: (file: VersionedBytes) => Promise<string>
  /** Why it was not saved. */
  refusalText: (error: unknown) => string
}

interface Options {
  name: string
  file: VisitorFile
  loaded: DecodedText & { version: string }
  /** Discards the text and loads the server's. */
  onReload: () => void
}

/** Saves the text of a visitor, unless the file has changed in the meantime: then the visitor has to decide. */
export function useVisitorSaving({ name, file, loaded, onReload }: Options) {
  const [start] = useState(() => textOf(loaded.text))
  const text = useRef<Text>(start)
  const saved = useRef({ text: start, version: loaded.version })
  const [dirty, setDirty] = useState(false)
  const [saving, setSaving] = useState(false)
  const isBusy = useRef(false)
  const isDirty = () => !text.current.eq(saved.current.text)
  const settle = (sent: Text, version: string) => {
    saved.current = { text: sent, version }
    setDirty(isDirty())
  }
  const saveOver = async (version: string): Promise<boolean> => {
    const sent = text.current
    try {
      settle(sent, await file.save({ bytes: encodeText(sent.toString(), loaded), version }))
      notify('success', t('editor.saved'))
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) return resolve()
      const { encoding } = loaded
      const reason = error instanceof EncodingError ? t('editor.unencodable', { encoding }) : file.refusalText(error)
      notify('error', t('editor.saveFailed', { name, reason }))
      return false
    }
  }
  /** Compares with the file's current text. @returns whether it equals the text to be saved */
  const resolve = async (): Promise<boolean> => {
    const { bytes, version } = await file.load()
    const theirs = decodeText(bytes).text
    if (text.current.eq(textOf(theirs))) {
      settle(text.current, version)
      return true
    }
    // Overwrites only the version that was shown.
    const onOverwrite = () => void once(() => saveOver(version))
    openPrompt('changedText', { name, mine: text.current.toString(), theirs, onOverwrite, onReload })
    return false
  }
  const once = async (act: () => Promise<boolean>): Promise<boolean> => {
    if (isBusy.current) return false
    isBusy.current = true
    setSaving(true)
    try {
      return await act()
    } catch (error) {
      notify('error', t('editor.saveFailed', { name, reason: file.refusalText(error) }))
      return false
    } finally {
      isBusy.current = false
      setSaving(false)
    }
  }
  const save = () => once(async () => !isDirty() || saveOver(saved.current.version))
  const mayLeave = async () => {
    if (!isDirty()) return true
    const choice = await new Promise<'save' | 'discard' | 'stay'>(answer => openPrompt('leaveText', { name, answer }))
    return choice === 'save' ? save() : choice === 'discard'
  }
  useBlocker(dirty, mayLeave)
  const change = (now: Text) => {
    text.current = now
    setDirty(isDirty())
  }
  return { start, dirty, saving, save, change, mayLeave }
}
