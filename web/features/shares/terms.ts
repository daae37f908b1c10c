import type { LinkChange, Sender, ShareLink } from '../../../shared/api/shares.ts'

const MIB = 1024 ** 2

/** What a form has of a file request: limits as typed, sizes in MiB. */
export interface TermsInput {
  note: string
  sender: Sender
  maxItems: string
  maxFileSize: string
  maxSize: string
}

/** A limit that is no number above 0. */
export type LimitName = 'maxItems' | 'maxFileSize' | 'maxSize'

export function termsOf(link: ShareLink | undefined): TermsInput {
  const { note = '', sender = 'optional', maxItems = null, maxFileBytes = null, maxBytes = null } = link ?? {}
  return {
    ...{ note, sender, maxItems: maxItems === null ? '' : String(maxItems) },
    ...{ maxFileSize: inMib(maxFileBytes), maxSize: inMib(maxBytes) },
  }
}

const inMib = (bytes: number | null) => (bytes === null ? '' : String(Math.ceil((bytes / MIB) * 1000) / 1000))

/** @returns the terms on the wire, or the first limit that is wrong */
export function parseTerms(input: TermsInput): Pick<LinkChange, 'note' | 'sender' | 'maxItems'> | LimitName {
  const { note, sender } = input
  const limits = {
    maxItems: numberOf(input.maxItems),
    maxFileSize: numberOf(input.maxFileSize),
    maxSize: numberOf(input.maxSize),
  }
  const wrong = Object.entries(limits).find(([, value]) => Number.isNaN(value))
  if (wrong) return wrong[0] as LimitName
  if (limits.maxItems !== null && !Number.isInteger(limits.maxItems)) return 'maxItems'
  const bytes = (mib: number | null) => (mib === null ? null : Math.max(1, Math.round(mib * MIB)))
  const { maxItems, maxFileSize, maxSize } = limits
  return { note: note.trim(), sender, maxItems, ...{ maxFileBytes: bytes(maxFileSize), maxBytes: bytes(maxSize) } }
}

/** NaN for what is no number above 0 that the API takes. */
function numberOf(text: string): number | null {
  if (text.trim() === '') return null
  const value = Number(text.trim().replace(',', '.'))
  return value > 0 && value * MIB <= Number.MAX_SAFE_INTEGER ? value : Number.NaN
}
