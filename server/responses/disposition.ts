import { encodeName } from '../../shared/bytes.ts'

/**
 * A `Content-Disposition` value with the file's name in UTF-8 (http-api 5, RFC 8187). The characters left unencoded are
 * those clients of the wire expect: letters, digits and `-._~$&+:=@`. A name that is not UTF-8 is sent with its raw
 * bytes, and in plain ASCII for clients that only take text.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.isWellFormed() ? '' : ` filename="${inAscii(name)}";`
  return `${kind};${plain} filename*=utf-8''${encodeFully(name)}`
}

/** The ASCII fallback: everything but letters, digits and a few signs becomes `_`. */
const inAscii = (name: string) => name.replace(/[^\w\-.+= ]/gu, '_')

function encodeFully(name: string): string {
  return encodeName(name)
    .replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(24|26|2B|3A|3D|40)/g, encoded => decodeURIComponent(encoded))
}
