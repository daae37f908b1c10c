/**
 * Whether a write satisfies `WriteOptions.ifMatch`.
 * @param version of the existing file; `undefined` if there is none
 */
export function meetsMatch(version: string | undefined, ifMatch: string | undefined): boolean {
  if (ifMatch === undefined) return true
  return version !== undefined && (ifMatch === '*' || version === ifMatch)
}
