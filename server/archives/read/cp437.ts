import { textOf } from '../../../shared/bytes.ts'

/** The upper half of code page 437, the default encoding of names in a zip (APPNOTE appendix D). */
const UPPER =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/**
 * A name of undeclared encoding. Most current programs write UTF-8 without declaring it; anything else is taken for
 * code page 437.
 */
export function legacyName(bytes: Uint8Array): string {
  const text = textOf(bytes)
  if (text.isWellFormed()) return text
  return Array.from(bytes, byte => (byte < 0x80 ? String.fromCharCode(byte) : (UPPER[byte - 0x80] ?? '?'))).join('')
}
