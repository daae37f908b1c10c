import type { Finding, FindingCode } from '../api/diagnostics.ts'
import type { Probe } from './probe-proxy.ts'

/** More than the minute that is the default timeout of most proxies. */
export const SLOW_SECONDS = 65
/** Seconds by which such a response may be late. */
const GRACE = 20

const LINES = {
  silenceStopped: [
    'nginx:   proxy_read_timeout 1h;',
    'Apache:  ProxyTimeout 3600',
    'HAProxy: timeout server 1h',
    'Caddy:   no read_timeout in "transport http", no response_header_timeout',
  ],
  trickleStopped: [
    'nginx:   proxy_buffering off; proxy_read_timeout 1h; send_timeout 1h;',
    'Apache:  ProxyTimeout 3600, and flushpackets=on behind the address of ProxyPass',
    'HAProxy: timeout server 1h, timeout client 1h',
    'Caddy:   no "write" in "timeouts" of the global "servers"',
  ],
} as const satisfies Partial<Record<FindingCode, readonly string[]>>

/**
 * Tests whether the proxies wait for slow responses: one that is silent at first, as for a large copy, and one that
 * trickles, as a download over a slow line. Takes as long as these.
 * @param ask as an administrator
 */
export async function probeTimeouts(ask: Probe, seconds = SLOW_SECONDS): Promise<Finding[]> {
  const [silent, trickling] = await Promise.all([
    probeTimeout(ask, seconds, 'silenceStopped', ''),
    probeTimeout(ask, seconds, 'trickleStopped', '&trickle=true'),
  ])
  const stopped = [silent, trickling].filter(finding => finding !== undefined)
  return stopped.length > 0 ? stopped : [{ code: 'waitsPass', amount: seconds }]
}

/** @returns the findings */
async function probeTimeout(
  ask: Probe,
  seconds: number,
  code: keyof typeof LINES,
  how: string,
): Promise<Finding | undefined> {
  const patience = (seconds + GRACE) * 1000
  const { status, text, outcome } = await ask(`/api/doctor/wait?seconds=${seconds}${how}`, { patience })
  if (status === 200 && text.length === seconds) return undefined
  return { code, amount: seconds, what: outcome, lines: [...LINES[code]] }
}
