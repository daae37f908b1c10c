import { AppError } from '../errors.ts'

/**
 * A list without the items from one index to another, both inclusive; `to` defaults to `from`.
 * @throws AppError `bad_request` for an index outside the list
 */
export function withoutRange<T>(list: readonly T[], from: string, to: string = from): T[] {
  const [first, last] = [from, to].map(text => indexOf(text, list.length))
  if (first === undefined || last === undefined || last < first) {
    throw new AppError('bad_request', `${from} to ${to} is not a range of a list of ${list.length}.`)
  }
  return list.filter((_item, index) => index < first || index > last)
}

function indexOf(text: string, length: number): number {
  const index = Number(text)
  if (!/^\d{1,9}$/.test(text) || index >= length) {
    const known = length === 0 ? 'The list is empty' : `It is 0 to ${length - 1}`
    throw new AppError('bad_request', `'${text}' is not an index. ${known}.`)
  }
  return index
}
