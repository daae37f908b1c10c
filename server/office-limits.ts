/** The limits of office editors: a part of `LIMIT_TABLE`. */
export const OFFICE_LIMITS = {
  officeDiscovery: { value: 1024 ** 2, unit: 'bytes', what: 'Discovery of an office editor', beyond: '503' },
  officeDiscoveryAge: {
    value: 12 * 3_600_000,
    unit: 'ms',
    what: 'Time for which the discovery of an office editor is remembered',
    beyond: 'read again',
  },
  officeSilence: {
    value: 60_000,
    unit: 'ms',
    what: 'Time in which an office editor has to use its first token',
    beyond: 'a finding of the diagnostics',
  },
  officeDiscoveryRetry: {
    value: 60_000,
    unit: 'ms',
    what: 'Wait before it is read again because a proof does not fit',
    beyond: '500',
  },
  officeProofAge: { value: 20 * 60_000, unit: 'ms', what: 'Age of the proof of an office editor', beyond: '500' },
  officeToken: { value: 10 * 3_600_000, unit: 'ms', what: 'Lifetime of a token of an office editor', beyond: '401' },
  officeLock: {
    value: 30 * 60_000,
    unit: 'ms',
    what: 'Time after which a lock of an office editor ends unless it is refreshed',
    beyond: 'lock ended',
  },
  officeLockId: {
    value: 1024,
    unit: 'count',
    what: 'Characters of what an office editor calls its lock',
    beyond: '400',
  },
} as const
