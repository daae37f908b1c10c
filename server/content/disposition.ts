/**
 * A `Content-Disposition` value with the file's name in UTF-8 (contract 5, RFC 8187). The characters left unencoded are
 * those clients of the wire know: letters, digits and `-._~$&+:=@`.
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  return `${kind}; filename*=utf-8''${encodeName(name)}`
}

function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed())
    .replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(24|26|2B|3A|3D|40)/g, encoded => decodeURIComponent(encoded))
}
