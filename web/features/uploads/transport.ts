import { encodePath, type FilePath } from '../../../shared/path.ts'
import { api, apiUrl } from '../../lib/api.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { mayFit, noteBroken, smallerThan } from './chunk-size.ts'
import { isSameContent } from './compare-remote.ts'
import { fileHeaders } from './file-headers.ts'
import { gestureHeaders, noteChange } from './gesture.ts'
import type { SendOptions, Transport } from './transport-types.ts'
import { discardUpload, isProxyRefusal, isTooMuch, ownPlace, sendInChunks } from './tus.ts'
import { noteKept } from './unkept.ts'
import { sendXhr } from './xhr.ts'

/** URL of `POST /api/resources{path}?override=` (http-api 3.2). */
export function uploadUrl(path: FilePath, override: boolean): string {
  return apiUrl(`/api/resources${encodePath(path)}?override=${override}`)
}

/** Timeout of a probe in milliseconds: a lost network is not reported. */
const PROBE_TIMEOUT = 10_000

/** The real transport. */
export const httpTransport: Transport = {
  async makeFolder(path, signal) {
    const init = { method: 'POST', headers: gestureHeaders(), signal }
    noteChange((await api(`/api/resources${encodePath(path)}/?override=false`, init)).headers)
  },
  sendFile,
  discard: path => discardUpload(path),
  isSame: isSameContent,
  isReachable,
}

/** Whether the server responds. */
export async function isReachable(): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT)
  const answer = await fetch(apiUrl('/health'), { cache: 'no-store', signal }).catch(() => undefined)
  return answer?.ok ?? false
}

/** Set once a proxy has turned out to reject chunked uploads. */
let onlyWhole = false

/** Small files take one call; larger ones, and interrupted chunked uploads, go in chunks (http-api 4). */
async function sendFile(path: FilePath, file: File, options: SendOptions): Promise<void> {
  const { chunkSize } = pageConfig.TusSettings
  const small = file.size <= chunkSize && mayFit(file.size)
  // What fails in one call may succeed in chunks.
  if (onlyWhole || file.size === 0 || (small && !options.begun && options.attempt === 0)) {
    const began = performance.now()
    try {
      return await sendWhole(path, file, options)
    } catch (error) {
      if (!options.signal.aborted) noteBroken(file.size, performance.now() - began)
      if (onlyWhole || !isTooMuch(error)) throw error
      smallerThan(file.size)
    }
  }
  try {
    await sendInChunks(ownPlace(path, file, options.override), file, options, chunkSize)
  } catch (error) {
    if (!isProxyRefusal(error)) throw error
    onlyWhole = true
    notify('info', t('uploads.onlyWhole'), { label: t('uploads.dismiss'), run: () => undefined })
    await sendWhole(path, file, options)
  }
}

async function sendWhole(path: FilePath, file: File, options: SendOptions): Promise<void> {
  const { signal, onProgress, override } = options
  const type = file.type || 'application/octet-stream'
  const headers = { 'Content-Type': type, ...gestureHeaders(), ...fileHeaders(file, options.unmodifiedSince) }
  const sent = { method: 'POST', url: uploadUrl(path, override), headers, body: file, signal, onProgress } as const
  const answer = await sendXhr(sent)
  noteChange(answer)
  noteKept(answer, path)
}
