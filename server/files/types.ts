/** The types of stored entries, for modules that may not import a storage driver. */
export type {
  BatchReader,
  ByteRange,
  Cleanup,
  ContentCheck,
  Entry,
  OpenFile,
  ReadFile,
  ReadRequest,
  SpareFile,
  SpareFiles,
  Usage,
} from '../storage/driver.ts'
export type { Workplace } from './sandbox-scope.ts'
