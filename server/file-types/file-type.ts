import mime from 'mime'
import type { ResourceType } from '../../shared/api/resources.ts'
import { CAMERA_FILES } from '../../shared/camera.ts'
import { MAX_TEXT_BYTES } from '../../shared/limits.ts'
import { extensionOf } from '../../shared/path.ts'
import { typeBySignature } from './magic-numbers.ts'
import { looksLikeText, TEXT_EXTENSIONS } from './text-detection.ts'

/** Image extensions that the MIME table lacks. */
const OWN_TYPES: Readonly<Record<string, string>> = { ...CAMERA_FILES, '.hif': 'image/heif' }

/** The display type of a file, by its name and size alone (http-api 15.2). */
export function kindByName(name: string, size: number): ResourceType {
  return TEXT_EXTENSIONS.has(extensionOf(name).toLowerCase()) ? textOrBlob(size) : kindOfMime(mimeOf(name), size)
}

function kindOfMime(type: string, size: number): ResourceType {
  if (type.startsWith('video/')) return 'video'
  if (type.startsWith('audio/')) return 'audio'
  if (type.startsWith('image/')) return 'image'
  if (type.endsWith('pdf')) return 'pdf'
  if (type.startsWith('text/')) return textOrBlob(size)
  return 'blob'
}

/** The display type of a file including its first bytes, which decide only where the name does not. */
export function kindByContent(name: string, size: number, head: Uint8Array): ResourceType {
  const byName = kindByName(name, size)
  if (byName !== 'blob') return byName
  if (!isNamed(name)) return kindOfMime(mimeByContent(head), size)
  return size <= MAX_TEXT_BYTES && looksLikeText(head) ? 'text' : 'blob'
}

/** Whether a name has a known extension. */
export function isNamed(name: string): boolean {
  return TEXT_EXTENSIONS.has(extensionOf(name).toLowerCase()) || typeOfExtension(name) !== null
}

/** The MIME type of a name, without parameters; `application/octet-stream` if unknown. */
export function mimeOf(name: string): string {
  return typeOfExtension(name) ?? 'application/octet-stream'
}

/** Not by the whole name: the library takes a name without a dot for an extension. */
function typeOfExtension(name: string): string | null {
  const extension = extensionOf(name).toLowerCase()
  if (extension !== last.extension) {
    last = { extension, type: extension === '' ? null : (OWN_TYPES[extension] ?? mime.getType(extension)) }
  }
  return last.type
}

/** Most files of a folder have the extension of the one before. */
let last: { extension: string; type: string | null } = { extension: '', type: null }

/** The MIME type by the first bytes. Never HTML: content not named as HTML is shown as plain text. */
export function mimeByContent(head: Uint8Array): string {
  return typeBySignature(head) ?? (looksLikeText(head) ? 'text/plain' : 'application/octet-stream')
}

const textOrBlob = (size: number): ResourceType => (size <= MAX_TEXT_BYTES ? 'text' : 'blob')
