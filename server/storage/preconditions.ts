/**
 * Whether a write may go on (`WriteOptions.ifMatch`).
 * @param version of what stands there; `undefined` when nothing does
 */
export function meetsMatch(version: string | undefined, ifMatch: string | undefined): boolean {
  if (ifMatch === undefined) return true
  return version !== undefined && (ifMatch === '*' || version === ifMatch)
}
