import {
  MAX_RECEIVED_BYTES,
  MAX_RECEIVED_FILES,
  NAME_HEADER,
  RECEIVED_LIFETIME,
  RECEIVED_PARAMETER,
  type ReceivedResult,
  receivedCache,
  TIME_HEADER,
} from '../../shared/received.ts'

/** Characters of a name made from shared text. */
const NAME_LENGTH = 40

/**
 * Keeps what another app shares (Web Share Target, W3C) and leads to the page that asks for a folder. Nothing is uploaded
 * before the user has chosen one: any site can send such a request.
 * @param base path of the app, with a slash at the end
 */
export async function receive(request: Request, base: string): Promise<Response> {
  const result = await keep(request, base).catch((): ReceivedResult => 'failed')
  return Response.redirect(`${base}files/?${RECEIVED_PARAMETER}=${result}`, 303)
}

async function keep(request: Request, base: string): Promise<ReceivedResult> {
  const files = filesOf(await request.formData())
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (files.length > MAX_RECEIVED_FILES || bytes > MAX_RECEIVED_BYTES) return 'large'
  const cache = await caches.open(receivedCache(base))
  const share = crypto.randomUUID()
  const now = String(Date.now())
  for (const [index, file] of files.entries()) {
    const headers = { [NAME_HEADER]: encodeURIComponent(file.name), [TIME_HEADER]: now }
    await cache.put(`${base}received/${share}/${index}`, new Response(file, { headers }))
  }
  return 'kept'
}

/** Deletes shares that were not saved in time. */
export async function dropOldShares(base: string): Promise<void> {
  const cache = await caches.open(receivedCache(base))
  for (const key of await cache.keys()) {
    const kept = await cache.match(key)
    const age = Date.now() - Number(kept?.headers.get(TIME_HEADER))
    if (!(age < RECEIVED_LIFETIME)) await cache.delete(key)
  }
}

/** The shared files; shared text and links become files, too. */
export function filesOf(form: FormData): File[] {
  const files = form.getAll('files').filter(value => value instanceof File)
  const named = files.filter(({ name, size }) => name !== '' || size > 0).map(file => new File([file], plainName(file)))
  return [...named, ...textFile(form)]
}

function textFile(form: FormData): File[] {
  const [title, text, url] = ['title', 'text', 'url'].map(field => String(form.get(field) ?? '').trim())
  // Many apps put the address into the text.
  const address = url || (text && URL.canParse(text) && /^https?:/i.test(text) ? text : '')
  if (address) {
    const content = `[InternetShortcut]\r\nURL=${address.replace(/[\r\n]/g, '')}\r\n`
    return [new File([content], `${stem(title || URL.parse(address)?.host || address)}.url`)]
  }
  return text ? [new File([text], `${stem(title || text)}.txt`)] : []
}

/** Other apps may send paths, and names that no folder takes. */
const plainName = ({ name }: File) => stem(name.split(/[/\\]/).at(-1) ?? '', 255)

/** A name from any text. */
function stem(text: string, length = NAME_LENGTH): string {
  const plain = text.replace(/[\p{Cc}/\\:*?"<>|]+/gu, ' ').trim()
  return (
    [...plain]
      .slice(0, length)
      .join('')
      .replace(/[. ]+$/, '') || 'file'
  )
}
