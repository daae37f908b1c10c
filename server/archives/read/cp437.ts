import { textOf } from '../../../shared/bytes.ts'

/** The upper half of code page 437, which names in a zip are in unless it says otherwise (APPNOTE appendix D). */
const UPPER =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/**
 * A name that does not say how it is written. Most programs of today write UTF-8 without saying so; what cannot be that is
 * taken for code page 437.
 */
export function legacyName(bytes: Uint8Array): string {
  const text = textOf(bytes)
  if (text.isWellFormed()) return text
  return Array.from(bytes, byte => (byte < 0x80 ? String.fromCharCode(byte) : (UPPER[byte - 0x80] ?? '?'))).join('')
}
