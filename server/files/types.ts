/** The types of stored entries, for modules that may not import a storage driver. */
export type {
  ByteRange,
  ContentCheck,
  Entry,
  OpenFile,
  ReaderTogether,
  ReadFile,
  ReadOrder,
  SpareFile,
  SpareFiles,
  SweepOptions,
  Usage,
} from '../storage/driver.ts'
export type { Workplace } from './sandbox-scope.ts'
