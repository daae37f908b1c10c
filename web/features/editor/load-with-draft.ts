import type { FileResource } from '../../../shared/api/resources.ts'
import { type LoadedText, loadText } from './api/load-text.ts'
import { readDraft, removeDraft, type TextDraft } from './drafts.ts'

/** The text of a file, and its unsaved draft if that differs. @throws ApiError */
export async function loadWithDraft(
  { path, size }: FileResource,
  key: string,
  signal: AbortSignal,
): Promise<{ loaded: LoadedText; draft: TextDraft | undefined }> {
  const [loaded, draft] = await Promise.all([loadText(path, size, signal), readDraft(key)])
  if (draft?.text !== loaded.text) return { loaded, draft }
  void removeDraft(key)
  return { loaded, draft: undefined }
}
