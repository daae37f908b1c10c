/** The types of stored entries, for modules that may not import a storage driver. */
export type {
  BatchReader,
  ByteRange,
  ContentCheck,
  Entry,
  OpenFile,
  ReadFile,
  ReadRequest,
  SpareFile,
  SpareFiles,
  SweepOptions,
  Usage,
} from '../storage/driver.ts'
export type { Workplace } from './sandbox-scope.ts'
