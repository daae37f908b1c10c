import { type Finding, type FindingCode, type HandedFile, HandedFilesAnswer } from '../api/diagnostics.ts'
import type { Ask, Said } from './probe-proxy.ts'

/** What a proxy has to add to files that it sends by itself, or a stored page runs scripts. */
const GUARDS = ['Content-Security-Policy', 'X-Content-Type-Options']
/** A byte tells whether the rest can be had. */
const BYTE = { Range: 'bytes=0-0' }
const RECIPE = 'nginx:   include nginx-files.conf;'

/**
 * Tries whether a proxy that is told to send files by itself does (docs/design/scaling.md), where it is told so at all: that it
 * finds and may read them, adds their headers, and gives them to nobody who was not sent there.
 * @param ask as an administrator
 * @param askBeside as a stranger, with paths from the top of the host name
 */
export async function lookAtHandOver(ask: Ask, askBeside: Ask): Promise<Finding[]> {
  const files = filesIn(await ask('/api/doctor/files'))
  const looks = files.flatMap(file => [lookAtFile(ask, file), lookBeside(askBeside, file)])
  const wrong = (await Promise.all(looks)).filter(finding => finding !== undefined)
  if (wrong.length > 0) return [...new Map(wrong.map(finding => [finding.code, finding])).values()]
  return files.length > 0 ? [{ code: 'handOverWorks' }] : []
}

/** None where there is nothing to try, or a server that does not know the question. */
function filesIn({ status, text }: Said): HandedFile[] {
  if (status !== 200) return []
  try {
    return HandedFilesAnswer.parse(JSON.parse(text))
  } catch {
    return []
  }
}

/** @returns what is wrong */
async function lookAtFile(ask: Ask, { path, address, size, lines }: HandedFile): Promise<Finding | undefined> {
  const answer = await ask(address, { headers: BYTE })
  // The server itself refuses what was changed meanwhile.
  if (answer.header('X-Error-Code') !== null) return undefined
  if (!isByteOf(answer, size)) {
    const what = `${path}: ${answer.said}`
    const known = answer.status === 403 ? lines.refused : answer.status === 404 ? lines.missing : []
    return { code: 'handOverFails', what, lines: [...known, RECIPE] }
  }
  const left = GUARDS.filter(name => answer.header(name) === null)
  if (left.length === 0) return undefined
  return found('handOverBare', left.join(', '), ...left.map(addHeader))
}

/** @returns what is wrong */
async function lookBeside(askBeside: Ask, { place, size }: HandedFile): Promise<Finding | undefined> {
  const answer = await askBeside(place, { headers: BYTE })
  return isByteOf(answer, size) ? found('handOverOpen', place, 'nginx:   internal;') : undefined
}

const found = (code: FindingCode, what: string, ...lines: string[]): Finding => ({ code, what, lines })

const addHeader = (name: string) =>
  `nginx:   add_header ${name} $upstream_http_${name.toLowerCase().replaceAll('-', '_')} always;`

/** A proxy that does not know what it is told passes an empty answer on, and another page has another size. */
const isByteOf = ({ status, text, header }: Said, size: number) =>
  status === 206 && text.length === 1 && header('Content-Range') === `bytes 0-0/${size}`
