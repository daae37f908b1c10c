import { LIMITS } from '../../limits.ts'

/** The lifetime that a `Timeout` header asks for (RFC 4918 10.7), within the limits, in milliseconds. */
export function lifetimeOf(header: string | undefined, longest: number): number {
  for (const value of header?.split(',') ?? []) {
    const [, seconds] = /^Second-(\d{1,15})$/i.exec(value.trim()) ?? []
    if (seconds !== undefined) return Math.min(Math.max(Number(seconds) * 1000, LIMITS.shortestLock), longest)
    if (value.trim().toLowerCase() === 'infinite') return longest
  }
  return longest
}

/** The token in a `Lock-Token` header (RFC 4918 10.5). */
export const lockTokenOf = (header: string | undefined): string | undefined =>
  /^\s*<([^<>\s]+)>\s*$/.exec(header ?? '')?.[1]

/** Programs by a part of their `User-Agent`. */
const PROGRAMS: readonly (readonly [part: RegExp, name: string])[] = [
  [/^Microsoft-WebDAV-MiniRedir/i, 'Windows Explorer'],
  [/^WebDAV(?:FS|Lib)\//, 'Finder'],
  [/Microsoft Office|^MSOffice/i, 'Microsoft Office'],
  [/LibreOffice/i, 'LibreOffice'],
  [/^gvfs\//, 'GNOME'],
]
const LONGEST = 80

/** The name of a program by its `User-Agent`; its first word for others. */
export function programOf(agent: string | undefined): string {
  const known = PROGRAMS.find(([part]) => part.test(agent ?? ''))
  if (known) return known[1]
  const [word = ''] = (agent ?? '').trim().split(/[\s/;(]/)
  return word.slice(0, LONGEST).trim() || 'WebDAV'
}
