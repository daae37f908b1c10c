import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'

/** One condition: a state token or an entity tag, which the resource has, or with `not` has not. */
export interface IfCondition {
  not: boolean
  token?: string
  /** With its quotes. */
  etag?: string
}

/** Conditions that must all hold. */
export interface IfList {
  /** The URI reference before it; nothing for the resource of the request. */
  resource: string | undefined
  conditions: IfCondition[]
}

/** What conditions are compared with. */
export interface IfState {
  /** Tokens of the locks that hold there. */
  tokens: ReadonlySet<string>
  /** Nothing for a folder, and where nothing stands. */
  etag: string | undefined
}

const PIECE = /[ \t]*(?:<([^<>\s]+)>|\[((?:W\/)?"[^"]*")\]|(Not)(?![^\s<[])|([()]))[ \t]*/iy

/** Parses an `If` header (RFC 4918 10.4). @throws AppError `bad_request` for any other text, and beyond the limits */
export function parseIf(text: string): IfList[] {
  const refuse = () => new AppError('bad_request', 'malformed If header')
  if (text.length > LIMITS.ifHeader) throw refuse()
  const lists: IfList[] = []
  let resource: string | undefined
  let open: IfList | undefined
  let not = false
  let conditions = 0
  /** A reference to a resource needs a list. */
  let isDangling = false
  const piece = new RegExp(PIECE)
  while (piece.lastIndex < text.length) {
    const [, url, etag, negation, bracket] = piece.exec(text) ?? []
    if (open && bracket === undefined && negation !== undefined && !not) not = true
    else if (open && (url !== undefined || etag !== undefined)) {
      conditions += 1
      if (conditions > LIMITS.ifConditions) throw refuse()
      open.conditions.push({ not, ...(url === undefined ? { etag: etag ?? '' } : { token: url }) })
      not = false
    } else if (open && bracket === ')' && !not && open.conditions.length > 0) {
      lists.push(open)
      open = undefined
    } else if (!open && bracket === '(') {
      open = { resource, conditions: [] }
      isDangling = false
    } else if (!open && url !== undefined && !isDangling && (resource !== undefined || lists.length === 0)) {
      resource = url
      isDangling = true
    } else throw refuse()
  }
  if (open || isDangling || lists.length === 0) throw refuse()
  return lists
}

/** Whether one of the lists holds. @param stateOf the state of a resource, by the reference to it */
export async function holds(
  lists: readonly IfList[],
  stateOf: (resource: string | undefined) => Promise<IfState>,
): Promise<boolean> {
  for (const { resource, conditions } of lists) {
    const state = await stateOf(resource)
    const isMet = ({ not, token, etag }: IfCondition) =>
      (token === undefined ? etag === state.etag : state.tokens.has(token)) !== not
    if (conditions.every(isMet)) return true
  }
  return false
}

/** The tokens that a header submits, wherever they are in it (RFC 4918 10.4.1). */
export const tokensIn = (lists: readonly IfList[]): ReadonlySet<string> =>
  new Set(lists.flatMap(({ conditions }) => conditions.flatMap(({ token }) => token ?? [])))
