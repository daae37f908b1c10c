/** Bytes at an offset in a file, one character per byte. */
type Mark = readonly [at: number, bytes: string]

/** Magic numbers (http-api 15.2). No text begins with one of them by chance, except `%PDF-`. */
const SIGNATURES: readonly (readonly [type: string, ...marks: Mark[]])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBPVP']],
  ['image/bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['image/x-icon', [0, '\0\0\x01\0']],
  ['audio/mpeg', [0, 'ID3\x02']],
  ['audio/mpeg', [0, 'ID3\x03']],
  ['audio/mpeg', [0, 'ID3\x04']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/aiff', [0, 'FORM'], [8, 'AIFF']],
  ['audio/midi', [0, 'MThd\0\0\0\x06']],
  ['audio/basic', [0, '.snd\0']],
  ['video/avi', [0, 'RIFF'], [8, 'AVI ']],
  ['video/webm', [0, '\x1a\x45\xdf\xa3']],
  ['video/mp4', [4, 'ftypmp4']],
  ['video/mp4', [4, 'ftypisom']],
  ['application/pdf', [0, '%PDF-']],
]

/** The MIME type by magic number; `undefined` if there is none. */
export function typeBySignature(head: Uint8Array): string | undefined {
  const stands = ([at, bytes]: Mark) => [...bytes].every((byte, index) => head[at + index] === byte.charCodeAt(0))
  return SIGNATURES.find(([, ...marks]) => marks.every(stands))?.[0]
}
