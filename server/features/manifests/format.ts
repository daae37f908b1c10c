import { bytesOf, textOf } from '../../../shared/bytes.ts'

/** The file name that `sha256sum` users give to a manifest. */
export const MANIFEST_NAME = 'SHA256SUMS'

/** A line of a manifest: a file relative to the manifest's folder, and its SHA-256 in lower-case hex. */
export interface ManifestLine {
  name: string
  sum: string
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' }
const LINE = /^(\\?)([0-9a-f]{64}) [ *](.+)$/i

/** A line as `sha256sum` of GNU coreutils writes and reads it, with its escapes for names with line ends. */
export function formatLine({ name, sum }: ManifestLine): string {
  const escaped = name.replace(/[\\\n\r]/g, char => ESCAPES[char] ?? char)
  return `${escaped === name ? '' : '\\'}${sum}  ${escaped}\n`
}

/** A comment, which `sha256sum` ignores. */
export const formatComment = (text: string): string => `#${text === '' ? '' : ` ${text.replace(/[\n\r]/g, ' ')}`}\n`

/** The lines of a manifest. Comments and blank lines are left out; `undefined` stands for any other text. */
export function parseManifest(bytes: Uint8Array): (ManifestLine | undefined)[] {
  const lines = textOf(bytes).split('\n').map(withoutReturn)
  return lines.filter(line => line !== '' && !line.startsWith('#')).map(parseLine)
}

/** Names that are not UTF-8 stand in a manifest byte by byte. */
export const encodeManifest = (text: string): Uint8Array => bytesOf(text)

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)

function parseLine(line: string): ManifestLine | undefined {
  const [, backslash, sum = '', name = ''] = LINE.exec(line) ?? []
  if (sum === '') return undefined
  return { sum: sum.toLowerCase(), name: backslash ? unescapeName(name) : name }
}

const unescapeName = (name: string) =>
  name.replace(/\\([\\nr])/g, (_, char: string) => (char === 'n' ? '\n' : char === 'r' ? '\r' : char))
