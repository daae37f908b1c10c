import { ApiError } from './api.ts'

/**
 * The values of a body of JSON lines, in batches as they arrive. Blank lines keep the connection alive.
 * @throws ApiError status 0 when the connection breaks off
 */
export async function* jsonLines<T>({ body }: Pick<Response, 'body'>, signal: AbortSignal): AsyncGenerator<T[]> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  while (reader) {
    const { done, value } = await reader.read().catch(() => {
      throw new ApiError(0, signal.aborted ? '001 Connection aborted' : '000 No connection')
    })
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    const values = lines.filter(line => line !== '').map(line => JSON.parse(line) as T)
    if (values.length > 0) yield values
  }
}
