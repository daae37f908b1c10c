import { type FilePath, nameOf, parentOf, trustedChild } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { knownFolder, reloadFolder } from '../files/api/list.ts'
import { freeName } from '../files/items/names.ts'
import { saveNewText } from './api/save-text.ts'

/** Attempts at another name, in case it is taken in the meantime. */
const ATTEMPTS = 100

/** Saves a text as a new file next to another, under a free name. @returns its path @throws ApiError */
export async function saveCopy(path: FilePath, bytes: Uint8Array<ArrayBuffer>): Promise<FilePath> {
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
