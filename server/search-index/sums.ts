import { NO_SUM } from '../../shared/sizes.ts'
import type { KnownSum as Sum } from '../storage/driver.ts'
import { FACTS, type Item } from '../storage/found-names.ts'

const NAMES = Object.keys(NO_SUM) as readonly (keyof Sum)[]

/** A folder's row keeps the totals of its own content and, precomputed, of everything below it. */
type Which = 'own' | 'all'

/** The columns of both, for a schema. @param type the database's type of 64-bit integers */
export function sumColumns(type: string): string {
  const declared = (which: Which) => NAMES.map(name => `${which}_${name} ${type} not null default 0`).join(', ')
  return `${declared('own')}, ${declared('all')}`
}

/** The parameters for the columns of totals. */
export const valuesOf = (sum: Sum): number[] => NAMES.map(name => sum[name])

/** An assignment of parameters to those columns, or an addition. @param bound the placeholder of each parameter */
export function setSum(which: Which, how?: '+', bound: (index: number) => string = () => '?'): string {
  return NAMES.map((name, at) => `${which}_${name} = ${how ? `${which}_${name} + ` : ''}${bound(at)}`).join(', ')
}

export const isNothing = (sum: Sum): boolean => NAMES.every(name => sum[name] === 0)

export function readSum(row: Record<string, unknown>, which: Which): Sum {
  return sumBy(name => Number(row[`${which}_${name}`] ?? 0))
}

/** The totals of one folder. @param isUnread whether it could not be read */
export function sumOf(items: readonly Item[], isUnread: boolean): Sum {
  const sum = { ...NO_SUM, unread: isUnread ? 1 : 0 }
  for (const { fact, disk } of items) {
    if (fact === FACTS.folder) sum.folders += 1
    if (fact < 0) continue
    sum.files += 1
    sum.bytes += fact
    sum.disk += disk
  }
  return sum
}

export function differenceOf(one: Sum, other: Sum): Sum {
  return sumBy(name => one[name] - other[name])
}

function sumBy(value: (name: keyof Sum) => number): Sum {
  return {
    files: value('files'),
    folders: value('folders'),
    bytes: value('bytes'),
    disk: value('disk'),
    unread: value('unread'),
  }
}
