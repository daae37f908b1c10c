import mime from 'mime'
import type { ResourceType } from '../../shared/api/resources.ts'
import { CAMERA_FILES } from '../../shared/camera.ts'
import { MAX_TEXT_BYTES } from '../../shared/limits.ts'
import { extensionOf } from '../../shared/path.ts'
import { typeBySignature } from './signatures.ts'

/** Bytes at the start of a file that decide whether it is text (contract 15.2). */
export const SNIFF_BYTES = 512

/** Extensions of text that the MIME table calls `application/…`, or something else altogether. */
const TEXT_EXTENSIONS = new Set(
  (
    '.ts .tsx .jsx .mts .cts .js .mjs .cjs .json .json5 .jsonc .yaml .yml .toml .ini .cfg .conf .env .sh .bash .zsh ' +
    '.fish .ps1 .bat .cmd .py .rb .pl .php .go .rs .java .kt .kts .swift .c .h .cc .cpp .hpp .cs .fs .hs .lua .r .sql ' +
    '.vue .svelte .astro .css .scss .sass .less .html .htm .xml .xsl .md .markdown .rst .tex .log .csv .tsv .diff ' +
    '.patch .gradle .dockerfile .makefile .cmake .srt .vtt .ass .ssa .ics .vcf .txt .text .nfo .gitignore .editorconfig'
  ).split(' '),
)

/** Extensions of images that the MIME table does not know. */
const OWN_TYPES: Readonly<Record<string, string>> = { ...CAMERA_FILES, '.hif': 'image/heif' }

/** How a file is shown, by its name and size alone (contract 15.2). */
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

/** How a file is shown once its first bytes are known; they only decide where the name does not. */
export function kindByContent(name: string, size: number, head: Uint8Array): ResourceType {
  const byName = kindByName(name, size)
  if (byName !== 'blob') return byName
  if (!isNamed(name)) return kindOfMime(mimeByContent(head), size)
  return size <= MAX_TEXT_BYTES && looksLikeText(head) ? 'text' : 'blob'
}

/** Whether the extension of a name is one that somebody knows. */
export function isNamed(name: string): boolean {
  return TEXT_EXTENSIONS.has(extensionOf(name).toLowerCase()) || typeOfExtension(name) !== null
}

/** The MIME type of a name, without parameters; `application/octet-stream` when nobody knows. */
export function mimeOf(name: string): string {
  return typeOfExtension(name) ?? 'application/octet-stream'
}

/** Not by the whole name: the library takes a name without a dot for an extension. */
function typeOfExtension(name: string): string | null {
  const extension = extensionOf(name).toLowerCase()
  return extension === '' ? null : (OWN_TYPES[extension] ?? mime.getType(extension))
}

/** The same by the first bytes. Never HTML: what did not say so by its name is shown as plain text. */
export function mimeByContent(head: Uint8Array): string {
  return typeBySignature(head) ?? (looksLikeText(head) ? 'text/plain' : 'application/octet-stream')
}

const textOrBlob = (size: number): ResourceType => (size <= MAX_TEXT_BYTES ? 'text' : 'blob')

/**
 * Whether the first bytes of a file read as UTF-8 text: no control character up to 8, no malformed sequence except one
 * that the cut at the end may have torn (contract 15.2). An empty file is text.
 */
export function looksLikeText(head: Uint8Array): boolean {
  if (head.some(byte => byte <= 8)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length >= SNIFF_BYTES })
    return true
  } catch {
    return false
  }
}
