import { type FilePath, parentOf } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { EncodingError, encodeText, type TextFormat } from '../../lib/text-encoding.ts'
import { knownEntry, reloadFolder } from '../files/api/list.ts'
import { reasonOf } from '../files/operations/error-messages.ts'
import { loadText } from './api/load-text.ts'
import { saveText } from './api/save-text.ts'
import { saveBeside } from './save-beside.ts'
import { type Typed, textOf } from './use-document.ts'
import { useTurns } from './use-serialized.ts'

interface SavingOptions {
  path: FilePath
  name: string
  typed: Typed
  /** Throws the text away and loads what the server has. */
  onReload: () => void
}

/** Saves a text in its file, unless that has become another one meanwhile: then somebody has to choose. */
export function useSaving({ path, name, typed, onReload }: SavingOptions) {
  const { text, saved, format, setFormat, isDirty, drafts, settle } = typed
  const { saving, inTurn } = useTurns()

  const saveNow = async (expected: string): Promise<boolean> => {
    const sent = text.current
    try {
      const version = await saveText(path, encodeText(sent.toString(), format), expected)
      settle({ ...format, text: sent, version })
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) return fail(error)
      drafts.keep()
      return resolve().catch(fail)
    }
    notify('success', t('editor.saved'))
    void reloadFolder(parentOf(path))
    return true
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
  /** What did not go: the text stays, here and as a draft. */
  const fail = (error: unknown): false => {
    drafts.keep()
    notify('error', failureText(error, name, format))
    return false
  }
  /** @returns whether nothing is left to be saved */
  const save = () => inTurn(async () => !isDirty() || saveNow(saved.current.version))
  return { saving, save }
}

function failureText(error: unknown, name: string, { encoding }: TextFormat): string {
  const reason = error instanceof EncodingError ? t('editor.unencodable', { encoding }) : reasonOf(error)
  return t('editor.saveFailed', { name, reason })
}
