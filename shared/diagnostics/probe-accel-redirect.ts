import { type Finding, type FindingCode, type HandedFile, HandedFilesAnswer } from '../api/diagnostics.ts'
import type { Probe, ProbeResponse } from './probe-proxy.ts'

/** Headers that a proxy has to add to files it sends itself, or a stored page runs scripts. */
const GUARDS = ['Content-Security-Policy', 'X-Content-Type-Options']
/** One byte shows whether the rest is accessible. */
const BYTE = { Range: 'bytes=0-0' }
const RECIPE = 'nginx:   include nginx-files.conf;'

/**
 * Tests a proxy that is configured to send files itself (docs/design/scaling.md): that it finds and may read them, adds
 * their headers, and serves them to no client without the server's instruction.
 * @param ask as an administrator
 * @param askOutside without authentication, with paths from the root of the host name
 */
export async function probeAccelRedirect(ask: Probe, askOutside: Probe): Promise<Finding[]> {
  const files = filesIn(await ask('/api/doctor/files'))
  const looks = files.flatMap(file => [checkFile(ask, file), probeLocation(askOutside, file)])
  const wrong = (await Promise.all(looks)).filter(finding => finding !== undefined)
  if (wrong.length > 0) return [...new Map(wrong.map(finding => [finding.code, finding])).values()]
  return files.length > 0 ? [{ code: 'handOverWorks' }] : []
}

/** Undefined if nothing is configured, or the server does not know the call. */
function filesIn({ status, text }: ProbeResponse): HandedFile[] {
  if (status !== 200) return []
  try {
    return HandedFilesAnswer.parse(JSON.parse(text))
  } catch {
    return []
  }
}

/** @returns the findings */
async function checkFile(ask: Probe, { path, address, size, lines }: HandedFile): Promise<Finding | undefined> {
  const answer = await ask(address, { headers: BYTE })
  // The server itself refuses a file that was changed in the meantime.
  if (answer.header('X-Error-Code') !== null) return undefined
  if (!isByteOf(answer, size)) {
    const what = `${path}: ${answer.outcome}`
    const known = answer.status === 403 ? lines.refused : answer.status === 404 ? lines.missing : []
    return { code: 'handOverFails', what, lines: [...known, RECIPE] }
  }
  const left = GUARDS.filter(name => answer.header(name) === null)
  if (left.length === 0) return undefined
  return found('handOverBare', left.join(', '), ...left.map(addHeader))
}

/** @returns the findings */
async function probeLocation(askOutside: Probe, { place, size }: HandedFile): Promise<Finding | undefined> {
  const answer = await askOutside(place, { headers: BYTE })
  return isByteOf(answer, size) ? found('handOverOpen', place, 'nginx:   internal;') : undefined
}

const found = (code: FindingCode, what: string, ...lines: string[]): Finding => ({ code, what, lines })

const addHeader = (name: string) =>
  `nginx:   add_header ${name} $upstream_http_${name.toLowerCase().replaceAll('-', '_')} always;`

/** A proxy without support passes the empty response on, and another page has another size. */
const isByteOf = ({ status, text, header }: ProbeResponse, size: number) =>
  status === 206 && text.length === 1 && header('Content-Range') === `bytes 0-0/${size}`
