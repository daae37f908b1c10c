import { ADMINISTRATION_EXAMPLES } from './administration.ts'
import type { Examples } from './example.ts'
import { FILE_EXAMPLES } from './files.ts'
import { HISTORY_EXAMPLES } from './history.ts'
import { SHARING_EXAMPLES } from './sharing.ts'
import { SIGN_IN_EXAMPLES } from './sign-in.ts'

/** Every example, in an order in which all of them work. */
export const EXAMPLES: Examples = {
  ...FILE_EXAMPLES,
  ...HISTORY_EXAMPLES,
  ...SHARING_EXAMPLES,
  ...SIGN_IN_EXAMPLES,
  ...ADMINISTRATION_EXAMPLES,
}

/** A call with its example. */
export interface Shown {
  method: string
  /** As in the description: `/api/raw/{path}`. */
  path: string
  isPublic: boolean
}

/**
 * The `curl` line of a call, for a shell with `URL` and `TOKEN`; a `HEAD` has that of its `GET`.
 * @returns nothing if the call has no example
 */
export function curlOf({ method, path, isPublic }: Shown): string | undefined {
  const isHead = method === 'HEAD'
  const example = EXAMPLES[`${isHead ? 'GET' : method} ${path}`]
  if (!example) return undefined
  const further = isHead ? '' : (example.with ?? '')
  const hasBody = /(?:^| )(?:-d|--data-binary) /.test(further)
  const isImplied = method === (hasBody ? 'POST' : 'GET') || further.includes('-X ')
  const verb = isHead ? '-I' : isImplied ? '' : `-X ${method}`
  const header = example.as === 'api' ? 'Authorization: Bearer $API_TOKEN' : 'X-Auth: $TOKEN'
  const isSecret = !isPublic || path === '/api/logout'
  // `-f` keeps the text of a refusal to itself.
  const parts = [
    example.refused ? 'curl -s' : 'curl -sf',
    verb,
    `"$URL${example.at ?? path}"`,
    isSecret ? `-H "${header}"` : '',
    further,
  ]
  return parts.filter(part => part !== '').join(' ')
}
