import { localPreference } from './local-preference.ts'

/** The units of sizes in this browser: KiB of 1024 bytes, or KB of 1000. */
export const SIZE_UNITS = ['binary', 'decimal'] as const
export type SizeUnits = (typeof SIZE_UNITS)[number]

export const sizeUnits = localPreference('filigree.units', SIZE_UNITS, 'binary')
