import { asAppError } from '../../../errors.ts'
import type { Scope } from '../scope.ts'
import { elementsOf, textIn } from '../xml.ts'

/** Days after which a rule of the bucket removes what is kept; see `KeptThings.forgetsAfter`. */
export async function forgetsAfter({ client, area, base }: Scope): Promise<number | undefined> {
  const xml = await client.ask({ method: 'GET', query: { lifecycle: '' } }).then(
    ({ body }) => body.toString(),
    // There are no rules, or the server may not read them.
    thrown => {
      const { cause } = asAppError(thrown)
      if (cause instanceof Error && 'status' in cause && Number(cause.status) < 500) return ''
      throw thrown
    },
  )
  const days = elementsOf(xml, 'Rule').flatMap(rule => daysOf(rule, { base, kept: `${area}kept/` }))
  return days.length === 0 ? undefined : Math.min(...days)
}

/** @param at prefixes of the keys that become former versions, and of those of copies and notes */
function daysOf(rule: string, at: { base: string; kept: string }): number[] {
  if (textIn(rule, 'Status') !== 'Enabled' || elementsOf(rule, 'Tag').length > 0) return []
  const prefix = textIn(rule, 'Prefix')
  const meets = (keys: string) => keys.startsWith(prefix) || prefix.startsWith(keys)
  const former = meets(at.base) ? textIn(rule, 'NoncurrentDays') : ''
  const current = meets(at.kept) ? textIn(elementsOf(rule, 'Expiration')[0] ?? '', 'Days') : ''
  return [former, current].filter(text => text !== '').map(Number)
}
